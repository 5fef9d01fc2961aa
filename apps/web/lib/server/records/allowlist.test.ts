import { getSite } from "@app-registry/outbound/site";
import {
  allowlistSchema,
  canonicalizeValue,
  checkAllowlist,
  type SearchPage,
  type SearchQuery,
  type SearchResult,
  searchChain,
} from "@app-registry/sdk";
import { deadOrigin } from "@app-registry/test-kit/httpServer";
import { describe, expect, it } from "vitest";
import { sharedForBlock } from "../http/request.ts";
import { provideRegistry, wallet } from "../test/registryFixture.ts";
import { limitedApi } from "../test/serve.ts";
import { recordRoutes } from "./recordRoutes.ts";

/** Page of the index, and the searches that it received. */
let page: SearchPage;
const asked: SearchQuery[] = [];
async function searchIndex(query: SearchQuery) {
  asked.push(query);
  return page;
}

const fixture = provideRegistry();
let registered = 0;

/** Registers an MCP server below the path of its DID. */
async function register() {
  const url = `${fixture.host.origin}/service-${registered++}/mcp`;
  const endpoints = [{ name: "MCP", endpoint: url }];
  const metadata = { name: "<b>Library</b>", traits: ["api:mcp"], endpoints };
  return { ...(await fixture.register({ metadata })), url };
}

function get(query: string, { headers = {}, from = fixture.registry, readClient = 600 } = {}) {
  const api = limitedApi(recordRoutes, from, { readClient });
  return api.fetch(new Request(`http://localhost/api/allowlist${query}`, { headers }));
}

const read = async (query: string, options?: Parameters<typeof get>[1]) =>
  allowlistSchema.parse(await (await get(query, options)).json());

describe("GET /api/allowlist", () => {
  it("returns the list as canonical JSON, which the chain alone confirms", async () => {
    const { did, url } = await register();
    const response = await get(`?client=claude-code&did=${encodeURIComponent(did)}`);
    const text = await response.text();
    const list = allowlistSchema.parse(JSON.parse(text));
    expect(text).toBe(canonicalizeValue(list));
    expect(list.entries).toEqual([{ did, version: "1.0.0", url }]);
    expect(text).not.toContain("Library");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/json",
      "cache-control": sharedForBlock,
      "access-control-allow-origin": "*",
    });
    const { client } = fixture.registry;
    expect(await checkAllowlist({ client, siteOf: getSite, allowlist: list })).toEqual([]);
  });

  it("returns only the client's file, and 304 while it is the same", async () => {
    const { did, url } = await register();
    const query = `?client=claude-code&did=${encodeURIComponent(did)}&only=file`;
    const response = await get(query);
    expect(await response.text()).toBe(
      `{"allowManagedMcpServersOnly":true,"allowedMcpServers":[{"serverUrl":"${url}"}]}`,
    );
    const etag = response.headers.get("etag") ?? "";
    await fixture.chain.mine({ blocks: 1 });
    expect((await get(query, { headers: { "if-none-match": etag } })).status).toBe(304);
  });

  it("reports every invalid parameter", async () => {
    const response = await get("?client=cursor&facts=live&only=list&q=books&under=example.com");
    expect(response.status).toBe(400);
    const { problems } = await response.json();
    expect(problems.map(({ parameter }: { parameter: string }) => parameter).sort()).toEqual([
      ...["client", "facts", "only", "q", "under"],
    ]);
    expect((await get("")).status).toBe(400);
  });

  it("omits a service in the block in which it lost control, although the index still lists it", async () => {
    const { did } = await register();
    const { client } = fixture.registry;
    const from = { ...fixture.registry, searchIndex };
    page = { ...(await searchChain({ client, did })), source: "index" };
    asked.length = 0;
    const before = await read("?client=claude-code", { from });
    expect(before.entries).toMatchObject([{ did }]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ control: "pass", content: "pass", traits: ["api:mcp"] });
    const hash = await fixture.issuerClient.revokeDid({ did, controller: wallet.address });
    await fixture.issuerClient.waitForReceipt({ hash });
    const after = await read("?client=claude-code", { from });
    expect(after.file).toEqual({ allowManagedMcpServersOnly: true, allowedMcpServers: [] });
  });

  it("returns 422 instead of an incomplete list if there are more than 100 services", async () => {
    const { did } = await register();
    const { client } = fixture.registry;
    const found = await searchChain({ client, did });
    const [result] = found.results as [SearchResult];
    const results = Array.from({ length: 100 }, (_, major) => ({ ...result, major: 200 - major }));
    page = { ...found, results, source: "index", nextCursor: "WyJuZXh0Il0" };
    const from = { ...fixture.registry, searchIndex };
    for (const query of ["?client=copilot", "?client=copilot&only=file"]) {
      const response = await get(query, { from });
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({
        code: "too-many-services",
        detail: "Add filters such as under, owner or traits, or run app-registry allowlist.",
      });
    }
    expect((await get("?client=copilot", { from, readClient: 50 })).status).toBe(429);
  });

  it("returns 503 instead of an empty list if the chain is unavailable", async () => {
    const from = fixture.registryWith({ RPC_URL: deadOrigin });
    const response = await get("?client=vscode", { from });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ retryable: true });
  });
});
