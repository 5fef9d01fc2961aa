import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { issuerAttestations, issuerAttestationsQuerySchema } from "@app-registry/index/control";
import {
  appPath,
  InvalidSubjectError,
  lookupSchema,
  parseSearchQuery,
  toServerName,
} from "@app-registry/sdk";
import { testAccount } from "@app-registry/test-kit/deployContracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changesFeed } from "../feeds/changesFeed.ts";
import { sitemap } from "../feeds/feedRoutes.ts";
import { listServers, readServer } from "../mcp/mcpRegistryRoutes.ts";
import { servePicture } from "../pictures/pictureRoutes.ts";
import { readIndex } from "../readIndex.ts";
import { serveLookup } from "../records/lookup.ts";
import { readApp } from "../records/readApp.ts";
import { searchRegistry, serveSearch } from "../records/searchRegistry.ts";
import { verifyBatch } from "../records/verifyBatch.ts";
import type { Registry } from "../registry.ts";
import { wallet } from "./registryFixture.ts";
import type { IndexedRegistry } from "./startIndex.ts";

const folder = mkdtempSync(join(tmpdir(), "operator-"));
const metadata = (name: string) => ({
  ...{ name, description: name, traits: ["api:mcp"] },
  endpoints: [{ name: "MCP", endpoint: "https://mcp.example/" }],
});

/** Names of two services that look alike, which stay in the index for later suites. */
export const lookAlikes = ["Stripe Payments", "Strіpe Pаyments"] as const;

const request = (path: string) => new Request(`http://localhost${path}`);
const refusal = { httpStatus: 451, code: "hidden", message: "It passes for Stripe." };

/** Describes what pages and routes show of an index without other services than these. */
export function describeOperatorViews(place: IndexedRegistry): void {
  let registry: Registry;
  /** Same registry without the index. */
  let onChain: Registry;
  let shown: string;
  let hidden: string;

  beforeAll(async () => {
    const { fixture, index } = place;
    ({ did: shown } = await fixture.register({ metadata: metadata(lookAlikes[0]) }));
    ({ did: hidden } = await fixture.register({ metadata: metadata(lookAlikes[1]) }));
    const HIDDEN_FILE = join(folder, "hidden.json");
    writeFileSync(HIDDEN_FILE, JSON.stringify({ [hidden]: "It passes for Stripe." }));
    await index.untilCaughtUp();
    registry = fixture.registryWith({ DATABASE_READ_URL: index.url, HIDDEN_FILE });
    onChain = fixture.registryWith({ HIDDEN_FILE });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  describe("a service that the operator hides", () => {
    it("is missing from lookups", async () => {
      const lookUp = (subject: string, from = registry) =>
        serveLookup(request(`/api/lookup?subject=${encodeURIComponent(subject)}`), from);
      const byAddress = lookupSchema.parse(await (await lookUp("mcp.example")).json());
      expect(byAddress).toMatchObject({
        exact: [],
        claimed: [{ service: { did: shown }, uses: ["endpoint"] }],
      });
      await expect(lookUp(hidden)).rejects.toMatchObject(refusal);
      await expect(lookUp("mcp.example", onChain)).rejects.toMatchObject({ code: "index-unavailable" });
      await expect(lookUp("weather")).rejects.toThrow(InvalidSubjectError);
      const [verified] = await verifyBatch(registry, ["https://mcp.example/"]);
      expect(verified).toMatchObject({ problem: { status: 404, code: "claimed-only" } });
    });

    it("is missing from all lists, of the index and of the chain", async () => {
      for (const from of [registry, onChain]) {
        const { results, source } = await searchRegistry(from, parseSearchQuery({ status: "any" }));
        expect(
          results.map(({ did }) => did),
          source,
        ).toEqual([shown]);
        const answer = await serveSearch(request("/api/search?traits=api:mcp"), from, async () => {});
        expect(await answer.text()).not.toContain(hidden);
        const addresses = await sitemap(from, 0);
        expect(addresses).toContain(appPath(shown));
        expect(addresses).not.toContain(appPath(hidden));
      }
    });

    it("leaves a sitemap that was cached before it was hidden", async () => {
      const hides = { reasonOf: (did: string) => (did === shown ? "It was taken down." : undefined) };
      expect(await sitemap(onChain, 0)).toContain(appPath(shown));
      expect(await sitemap({ ...onChain, hidden: { ...onChain.hidden, ...hides } }, 0)).not.toContain(
        appPath(shown),
      );
    });

    it("is missing from feeds and from the MCP servers", async () => {
      const feed = await changesFeed(new URL("http://localhost/feed"), registry);
      expect(feed).toContain(appPath(shown));
      expect(feed).not.toContain(appPath(hidden));
      const { servers } = await listServers(new URL("http://localhost/v0.1/servers"), registry);
      expect(servers.map(({ server }) => server.name)).toEqual([toServerName(shown)]);
    });

    it("is reported as hidden, with the reason, if its DID is requested", async () => {
      const name = encodeURIComponent(toServerName(hidden));
      await expect(readApp(request(`/api/apps/${hidden}`), registry)).rejects.toMatchObject(refusal);
      await expect(readApp(request(`/api/apps/${hidden}/v/1.0.0`), registry)).rejects.toMatchObject(refusal);
      const search = request(`/api/search?did=${encodeURIComponent(hidden)}`);
      for (const from of [registry, onChain]) {
        await expect(serveSearch(search, from, async () => {})).rejects.toMatchObject(refusal);
      }
      const picture = request(`/api/picture/${hidden}/v/1.0.0?pointer=/image`);
      await expect(
        servePicture(picture, registry, { clientAddress: () => "" }, registry.guardedFetch),
      ).rejects.toMatchObject(refusal);
      expect(await verifyBatch(registry, [hidden])).toMatchObject([
        { problem: { status: 451, code: "hidden" } },
      ]);
      const server = request(`/v0.1/servers/${name}/versions/latest`);
      await expect(readServer(server, registry)).rejects.toMatchObject(refusal);
    });

    it("does not hide another service with the same name", async () => {
      expect(await readApp(request(`/api/apps/${shown}`), registry)).toMatchObject({ did: shown });
    });
  });

  describe("the page of an issuer", () => {
    it("lists its attestations, newest first, page by page", async () => {
      const { address } = testAccount(19);
      const ask = (query: object = {}) =>
        readIndex(registry, (session) =>
          issuerAttestations(session, issuerAttestationsQuerySchema.parse({ address, ...query })),
        );
      const whole = await ask();
      expect(whole).toMatchObject({
        attestations: [
          { did: hidden, controller: wallet.address, live: true, endedAt: null },
          { did: shown, controller: wallet.address, live: true, endedAt: null },
        ],
        nextCursor: null,
      });
      const first = await ask({ limit: "1" });
      const second = await ask({ limit: "1", cursor: first?.nextCursor });
      expect([first, second].flatMap((page) => page?.attestations)).toEqual(whole?.attestations);
      expect(second?.nextCursor).toBeNull();
      expect(await ask({ of: "hashes" })).toMatchObject({ attestations: [], nextCursor: null });
    });

    it.each([{ cursor: "1.2.3" }, { address: "0x12" }])("has no page for %j", (query) => {
      const address = wallet.address;
      expect(issuerAttestationsQuerySchema.safeParse({ address, ...query }).success).toBe(false);
    });
  });
}
