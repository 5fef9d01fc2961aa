import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { checkHealth, healthSchema } from "./checkHealth.ts";
import { appResponseSchema, readApp } from "./readApp.ts";
import { route } from "./route.ts";
import { nowhere, type RegistryFixture, startRegistry, wallet } from "./test/registryFixture.ts";

let fixture: RegistryFixture;
beforeAll(async () => {
  fixture = await startRegistry(18575);
}, 90_000);
afterAll(() => fixture.stop());

describe("GET /api/apps", () => {
  const get = async (path: string) => {
    const response = await route(async (request) => Response.json(await readApp(request, fixture.registry)))(
      new Request(`http://localhost/api/apps/${path}`),
    );
    return { status: response.status, body: await response.json() };
  };

  it("answers the record, the metadata and a verification report", async () => {
    const { did, canonical, dataHash } = await fixture.register();
    const { body } = await get(did);
    expect(appResponseSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      did,
      owner: wallet.address,
      record: { version: "1.0.0", dataHash, current: true },
      metadata: JSON.parse(canonical),
      metadataProblem: null,
      verification: {
        version: "1.0.0",
        facts: { control: { outcome: "pass" }, content: { outcome: "pass" } },
      },
    });
    expect((await get(`${did}/v/1.0`)).body).toMatchObject({ record: { version: "1.0.0" } });
  });

  it("answers no metadata that isn't the recorded one", async () => {
    const { did } = await fixture.register({ onChain: false, served: '{"name":"Another"}' });
    expect((await get(did)).body).toMatchObject({
      metadata: null,
      metadataProblem: { code: "hash-mismatch" },
      verification: { facts: { content: { outcome: "fail" } } },
    });
  });

  it("answers 404 for a DID that is not registered", async () => {
    expect(await get("did:web:nobody.example")).toMatchObject({
      status: 404,
      body: { code: "app-not-found" },
    });
  });
});

describe("GET /api/health", () => {
  it("tells a missing index from a missing chain", async () => {
    const health = await checkHealth(fixture.registry, fixture.issuer);
    expect(healthSchema.parse(health)).toMatchObject({
      status: "degraded",
      chain: { reachable: true, chainId: 31337 },
    });
    expect(health.chain.block).toBeGreaterThan(0);
    expect(health.issuer).toMatchObject({
      configured: true,
      mode: "send",
      funds: { low: false, openTransactions: 0, attestationsLeft: expect.any(Number) },
      revalidation: { attestations: expect.any(Number), due: 0, overdue: 0, failing: 0 },
    });
    expect(await checkHealth(fixture.registryWith({ RPC_URL: nowhere }), fixture.issuer)).toMatchObject({
      status: "down",
    });
  });

  it("tells an index that is being built from one that follows the chain, and how far each is", async () => {
    const answers = [
      { status: 503, body: { code: "not-ready", block: 1, chainBlock: 9 } },
      { status: 200, body: { results: [], block: 2 } },
      { status: 500, body: { block: 3 } },
    ];
    const index = createServer((_request, response) => {
      const { status, body } = answers.shift() ?? { status: 500, body: {} };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => index.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void index.close());
    const { port } = index.address() as AddressInfo;
    const registry = fixture.registryWith({ INDEXER_URL: `http://127.0.0.1:${port}` });

    const building = healthSchema.parse(await checkHealth(registry, fixture.issuer));
    expect(building).toMatchObject({
      status: "degraded",
      indexer: { reachable: true, building: true, block: 1 },
    });
    expect(building.indexer.lag).toBe((building.chain.block as number) - 1);
    expect(await checkHealth(registry, fixture.issuer)).toMatchObject({
      status: "ok",
      indexer: { reachable: true, building: false, block: 2 },
    });
    expect(await checkHealth(registry, fixture.issuer)).toMatchObject({
      status: "degraded",
      indexer: { reachable: false, building: false, block: null, lag: null },
    });
  });
});
