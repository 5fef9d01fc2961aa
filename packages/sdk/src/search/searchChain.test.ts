import { startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import { deadOrigin, serveHttp } from "@app-registry/test-kit/httpServer";
import {
  createTestRegistry,
  mintParameters,
  newDid,
  registerApp,
  restMetadata,
  type TestRegistry,
} from "@app-registry/test-kit/testRegistry";
import { createPublicClient, http } from "viem";
import { beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { createAppRegistryClient } from "../client/createAppRegistryClient.ts";
import { searchAll } from "./searchApps.ts";
import { type SearchChainParameters, searchChain } from "./searchChain.ts";
import { searchPageSchema } from "./searchResult.ts";

describe("searchChain", () => {
  let registry: TestRegistry;
  const dids: string[] = [];

  beforeAll(async () => {
    registry = await createTestRegistry();
    const { publisher, mined, newAccount } = registry;
    const add = async (interfaces: number, ...traits: string[]) => {
      const name = `App ${dids.length}`;
      const minted = { ...mintParameters(newDid(), restMetadata(name, { traits })), interfaces };
      await registerApp(registry, minted);
      dids.push(minted.did);
      return minted;
    };
    await add(2, "api:rest", "weather");
    await add(1, "weather");
    await add(3, "api:mcp");
    const replaced = await add(2, "api:mcp");
    await mined(publisher.mint({ ...replaced, version: { major: 2, minor: 1, patch: 0 } }));
    await mined(publisher.updateStatus({ did: replaced.did, major: 1, status: 2 }));
    const sold = await add(2, "api:mcp", "weather");
    const tokenId = await publisher.tokenIdOf({ did: sold.did, major: 1 });
    const to = (await newAccount()).account.address;
    await mined(publisher.transfer({ from: publisher.account.address, to, tokenId }));
  });

  const search = (query: Omit<SearchChainParameters, "client">) =>
    searchChain({ client: registry.publisher, ...query });
  const found = async (query: Omit<SearchChainParameters, "client">) =>
    (await search(query)).results.map(({ did, major }) => `${dids.indexOf(did)}/${major}`);

  it("returns Active records by default, in order of token id, with labels from the chain", async () => {
    const page = await search({});
    expect(page).toMatchObject({ source: "chain", nextCursor: null, block: expect.any(Number) });
    expect(page.results.map(({ name, major }) => [name, major])).toEqual([
      ["App 0", 1],
      ["App 1", 1],
      ["App 2", 1],
      ["App 3", 2],
      ["App 4", 1],
    ]);
    expect(page.results[0]).toMatchObject({
      did: dids[0],
      version: "1.0.0",
      tokenId: "1",
      traits: ["api:rest", "weather"],
      publisher: "Example Ltd",
    });
    expect(page.results[0]).not.toHaveProperty("facts");
    expect(searchPageSchema.parse(page)).toEqual(page);
  });

  it("filters by all traits or any of them", async () => {
    expect(await found({ traits: ["weather", "api:mcp"] })).toEqual(["4/1"]);
    expect(await found({ traits: "weather,api:mcp", match: "any" })).toEqual([
      "0/1",
      "1/1",
      "2/1",
      "3/2",
      "4/1",
    ]);
    expect(await found({ traits: ["nowhere"] })).toEqual([]);
  });

  it("filters by interface, with every bit set", async () => {
    expect(await found({ interface: 1 })).toEqual(["1/1", "2/1"]);
    expect(await found({ interface: 3 })).toEqual(["2/1"]);
    expect(await found({ interface: 2, traits: ["weather"] })).toEqual(["0/1", "4/1"]);
  });

  it("filters by status, or returns records in any status", async () => {
    expect(await found({ status: "replaced" })).toEqual(["3/1"]);
    expect(await found({ status: "deprecated" })).toEqual([]);
    expect((await found({ status: "any" })).sort()).toEqual(["0/1", "1/1", "2/1", "3/1", "3/2", "4/1"]);
  });

  it("filters by holder, minter, DID and minimum version", async () => {
    const owner = registry.publisher.account.address;
    expect(await found({ owner })).toEqual(["0/1", "1/1", "2/1", "3/2"]);
    expect(await found({ minter: owner })).toEqual(["0/1", "1/1", "2/1", "3/2", "4/1"]);
    expect(await found({ minter: `0x${"1".repeat(40)}` })).toEqual([]);
    expect(await found({ did: dids[3], status: "any" })).toEqual(["3/1", "3/2"]);
    expect(await found({ did: newDid() })).toEqual([]);
    expect(await found({ minVersion: "2.0.0" })).toEqual(["3/2"]);
  });

  it.each([{}, { status: "any" as const }, { interface: 2 }, { traits: ["weather"] }])(
    "returns every record once across the pages of %o",
    async (query) => {
      const all = await found(query);
      const paged: string[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await search({ ...query, limit: 1, ...(cursor ? { cursor } : {}) });
        paged.push(...page.results.map(({ did, major }) => `${dids.indexOf(did)}/${major}`));
        cursor = page.nextCursor;
      } while (cursor);
      expect(paged).toEqual(all);
    },
  );

  it("returns all pages through searchAll", async () => {
    const met: string[] = [];
    for await (const { tokenId } of searchAll({ client: registry.publisher, limit: 2 })) met.push(tokenId);
    expect(met).toEqual((await search({})).results.map(({ tokenId }) => tokenId));
  });

  it("returns the majors of one DID in pages", async () => {
    const query = { did: dids[3], status: "any" as const, limit: 1 };
    const first = await search(query);
    expect(first.results.map(({ major }) => major)).toEqual([1]);
    const second = await search({ ...query, cursor: first.nextCursor ?? "" });
    expect(second.results.map(({ major }) => major)).toEqual([2]);
    expect(second.nextCursor).toBeNull();
  });

  it("filters by the DID itself or a DID above it", async () => {
    expect(await found({ under: String(dids[1]) })).toEqual(["1/1"]);
    expect(await found({ under: `${dids[1]}:x` })).toEqual([]);
  });

  it("names each parameter that needs the index", async () => {
    const facts = {
      control: "pass",
      content: "fail",
      attested: "unknown",
      live: "answers",
      drift: "same",
    } as const;
    await expect(search(facts)).rejects.toMatchObject({
      name: "IndexRequiredError",
      problems: Object.keys(facts).map((parameter) => ({ parameter })),
    });
    await expect(search({ q: "rain", updatedSince: 0, cursor: "WyIxIl0" })).rejects.toMatchObject({
      name: "IndexRequiredError",
      retryable: true,
      problems: [{ parameter: "q" }, { parameter: "updatedSince" }, { parameter: "cursor" }],
    });
    await expect(search({ cursor: "eyJ4" })).rejects.toMatchObject({
      name: "InvalidSearchError",
      problems: [{ parameter: "cursor" }],
    });
  });

  it("ignores sort and facets", async () => {
    const { results, ...page } = await search({ sort: "name", facets: true });
    expect(results).toEqual((await search({})).results);
    expect(page).toEqual({ nextCursor: null, source: "chain", block: expect.any(Number) });
  });

  it("returns the results so far and a cursor when time is up", async () => {
    const rpc = await startFaultyRpc(inject("rpcUrl"));
    onTestFinished(() => rpc.close());
    // The RPC responds to the first listing only, like an endpoint that becomes slow.
    let listings = 0;
    rpc.break(({ method }) =>
      method === "eth_call" && ++listings > 1 ? new Promise(() => undefined) : "pass",
    );
    const client = createAppRegistryClient({
      deployment: registry.deployment,
      publicClient: createPublicClient({ transport: http(rpc.url, { retryCount: 0 }) }),
    });
    // Search in any status, which reads one listing per status.
    const page = await searchChain({ client, status: "any", timeoutMs: 1_500 });
    expect(page.results.length).toBeGreaterThan(0);
    const { results } = await search({ status: "any", cursor: String(page.nextCursor) });
    const ids = [...page.results, ...results].map(({ tokenId }) => tokenId);
    expect(ids.sort()).toEqual(
      (await search({ status: "any" })).results.map(({ tokenId }) => tokenId).sort(),
    );
  });

  it("rejects in time if the RPC is down or does not respond", async () => {
    for (const url of [deadOrigin, await serveHttp(() => undefined)]) {
      const publicClient = createPublicClient({ transport: http(url, { retryCount: 0 }) });
      const client = createAppRegistryClient({ deployment: registry.deployment, publicClient });
      await expect(searchChain({ client, timeoutMs: 300 })).rejects.toMatchObject({ retryable: true });
    }
  });
});
