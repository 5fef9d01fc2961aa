import { readFile, writeFile } from "node:fs/promises";
import type { Issuer } from "@app-registry/issuer";
import { checkHealth } from "@app-registry/server/checkHealth";
import { healthResponse, healthSchema } from "@app-registry/server/health";
import { startIssuer } from "@app-registry/server/issuer";
import { callAsOwner } from "@app-registry/test-kit/callAsOwner";
import { deployContracts, testAccount } from "@app-registry/test-kit/deployContracts";
import { type FaultyRpc, startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import { freePort } from "@app-registry/test-kit/freePort";
import { type HardhatNode, startHardhatNode } from "@app-registry/test-kit/hardhatNode";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { type PostgresServer, startPostgres } from "@app-registry/test-kit/postgres";
import { Client } from "pg";
import { createTestClient, http, parseEther, parseGwei } from "viem";
import { hardhat } from "viem/chains";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Registry } from "./registry.ts";
import { describeIndexViews } from "./test/describeIndexViews.ts";
import { describeNewcomers } from "./test/describeNewcomers.ts";
import { describeOperatorViews } from "./test/describeOperatorViews.ts";
import { type RegistryFixture, startRegistry, UNUSED_URL, wallet } from "./test/registryFixture.ts";
import { type IndexedRegistry, startIndex, type TestIndex } from "./test/startIndex.ts";

const { address } = testAccount(19);

let fixture: RegistryFixture;
/** Chain with other blocks and the same contracts at the same addresses. */
let other: HardhatNode;
let postgres: PostgresServer;
/** RPC of the index, which the tests interrupt. */
let rpcOfIndex: FaultyRpc;
let index: TestIndex;
/** Place of the first suites, which share the index: an indexer takes ten seconds of CPU time to start. */
const place = {} as IndexedRegistry;
/** Registry with all parts available. */
let registry: Registry;
let issuer: Issuer;

beforeAll(async () => {
  [fixture, other, postgres] = await Promise.all([
    startRegistry(),
    startHardhatNode(await freePort()),
    startPostgres(),
  ]);
  rpcOfIndex = await startFaultyRpc(fixture.rpcUrl);
  const { DEPLOYMENT_FILE: deploymentFile = "" } = fixture.variables;
  // Shift one chain's clock, because two chains with the same actions at the same time have identical blocks.
  await createTestClient({ chain: hardhat, mode: "hardhat", transport: http(other.rpcUrl) }).increaseTime({
    seconds: 1_000,
  });
  [index] = await Promise.all([
    startIndex({ rpcUrl: rpcOfIndex.url, deploymentFile }),
    deployContracts(other.rpcUrl, { issuer: address }),
  ]);
  Object.assign(place, { fixture, index });
  registry = registryWith({});
});

afterAll(async () => {
  issuer?.close();
  await fixture?.stop();
  await Promise.all([index?.stop(), postgres?.stop(), other?.stop(), rpcOfIndex?.close()]);
});

const registryWith = (variables: Record<string, string>) =>
  fixture.registryWith({ DATABASE_URL: postgres.url, DATABASE_READ_URL: index.url, ...variables });

/** Returns the route's answer for a registry: the HTTP status, the state and the problem codes. */
async function ask(from = registry, issuerOf: () => Promise<Issuer> = async () => issuer) {
  const response = healthResponse(await checkHealth(from, issuerOf));
  const health = healthSchema.parse(await response.json());
  for (const { message } of health.problems) {
    expect(message).toMatch(/^[A-Z\d].*\.$/);
    expect(message).not.toMatch(/127\.0\.0\.1|localhost|postgres:/);
  }
  return {
    http: response.status,
    status: health.status,
    codes: health.problems.map(({ code }) => code),
    health,
  };
}

const ok = { http: 200, status: "ok", codes: [] };
const degraded = (code: string) => ({ http: 200, status: "degraded", codes: [code] });
const down = (code: string) => ({ http: 503, status: "down", codes: [code] });

describe("an index of two services", () => describeOperatorViews(place));
describe("the routes over an index", () => describeIndexViews(place));
describe("an index of a service that others request", () => describeNewcomers(place));

describe("GET /api/health", () => {
  beforeAll(async () => {
    issuer = await startIssuer(registry);
  });

  it("returns ok if every part works", async () => {
    const answer = await ask();
    expect(answer).toMatchObject(ok);
    expect(answer.health).toMatchObject({
      chain: { reachable: true, chainId: 31337 },
      database: { reachable: true },
      indexer: { reachable: true, building: false, lag: 0 },
      issuer: {
        configured: true,
        authorised: true,
        mode: "send",
        funds: { low: false, empty: false, openTransactions: 0 },
        revalidation: { attestations: expect.any(Number), overdue: 0 },
      },
    });
  });

  it("requires no issuer that is not configured", async () => {
    const reading = registryWith({ ISSUER_PRIVATE_KEY: "" });
    const answer = await ask(reading, () => Promise.reject(new Error("no issuer")));
    expect(answer).toMatchObject(ok);
    expect(answer.health.issuer).toMatchObject({
      ...{ configured: false, authorised: null, funds: null, revalidation: null },
    });
  });

  describe("while the issuer's balance", () => {
    afterEach(() => fixture.chain.setBalance({ address, value: parseEther("10000") }));

    it("is low, returns degraded", async () => {
      await fixture.chain.setBalance({ address, value: parseEther("0.01") });
      await expect.poll(() => ask()).toMatchObject(degraded("issuer-funds-low"));
    });

    // @threat services: Health that hides a broken issuer, database or index
    it("covers no attestation, returns degraded with that problem", async () => {
      await fixture.chain.setBalance({ address, value: parseGwei("1") });
      await expect.poll(() => ask()).toMatchObject(degraded("issuer-out-of-funds"));
    });

    it("is empty but publishers pay, returns ok", async () => {
      await fixture.chain.setBalance({ address, value: 0n });
      const signing = registryWith({ ISSUER_MODE: "sign", ISSUER_REVALIDATION: "off" });
      const signer = await startIssuer(signing);
      await expect.poll(() => ask(signing, async () => signer)).toMatchObject(ok);
    });
  });

  // @threat services: Health that hides a broken issuer, database or index
  it("returns degraded while attestations are checked more than a day late", async () => {
    const did = fixture.host.did(wallet.address);
    await issuer.verifyAndAttest({ did, connectedAddress: wallet.address });
    await issuer.revalidation?.runDue();
    const move = (milliseconds: number) =>
      registry.database.query("UPDATE app_registry_issuer.queue_job SET due_at = due_at + $1", [
        milliseconds,
      ]);
    const year = 365 * 86_400_000;
    await move(-year);
    await expect.poll(() => ask()).toMatchObject(degraded("revalidation-behind"));
    await move(year);
    await expect.poll(() => ask()).toMatchObject(ok);
  });

  const databaseAway = "postgresql://postgres:secret@127.0.0.1:9/postgres";
  it.each<[state: string, code: string, variables: () => Promise<Record<string, string>>]>([
    ["the database is gone", "database-unavailable", async () => ({ DATABASE_URL: databaseAway })],
    ["the RPC is gone", "chain-unavailable", async () => ({ RPC_URL: UNUSED_URL })],
    ["the RPC hangs", "chain-unavailable", async () => ({ RPC_URL: await serveHttp(() => undefined) })],
    ["the index has another chain", "index-of-another-chain", async () => ({ RPC_URL: other.rpcUrl })],
    // @threat services: Health that hides a broken issuer, database or index
  ])("returns down if %s", async (_, code, variables) => {
    const from = registryWith(await variables());
    await expect.poll(() => ask(from)).toMatchObject(down(code));
  });

  describe("when the database", () => {
    // @threat services: Health that hides a broken issuer, database or index
    it("is frozen, returns down within its time limit each time, and ok when it resumes", async () => {
      await postgres.freeze();
      try {
        for (let time = 0; time < 2; time++) expect(await ask()).toMatchObject(down("database-unavailable"));
      } finally {
        await postgres.thaw();
      }
      await expect.poll(() => ask()).toMatchObject(ok);
    });

    // @threat services: Health that hides a broken issuer, database or index
    it("rejects writes, returns down", async () => {
      const alter = (change: string) =>
        registry.database.query(`BEGIN READ WRITE; ALTER DATABASE postgres ${change}; COMMIT`);
      await alter("SET default_transaction_read_only = on");
      onTestFinished(async () => void (await alter("RESET default_transaction_read_only")));
      const standby = registryWith({});
      await expect.poll(() => ask(standby)).toMatchObject(down("database-unavailable"));
    });
  });

  describe("when the RPC", () => {
    // @threat services: Health that hides a broken issuer, database or index
    it("serves another chain, returns down", async () => {
      const from = await createRegistry((deployment) => ({ ...deployment, chainId: 66238 }), {
        CHAIN_ID: "66238",
        PUBLIC_RPC_URL: "https://rpc.example",
        PUBLIC_URL: "https://registry.example",
        ALLOW_LOOPBACK_DIDS: "false",
      });
      const answer = await ask(from);
      expect(answer).toMatchObject(down("chain-mismatch"));
      expect(answer.health.problems[0]?.message).toMatch(/31337.*66238/);
    });

    it.each(["AppRegistry", "AppMetadata", "ResolverWithStore"] as const)(
      "serves a chain without the %s, returns down",
      async (name) => {
        const address = "0x00000000000000000000000000000000000000AA";
        const from = await createRegistry((deployment) => {
          const { [name]: moved, ...contracts } = deployment.contracts;
          return { ...deployment, contracts: { ...contracts, [name]: { ...moved, address } } };
        });
        const answer = expect.poll(async () => (await ask(from)).codes[0]);
        await answer.toBe("contracts-missing");
      },
    );
  });

  describe("when the index", () => {
    it("can't be read, returns degraded because the chain answers searches", async () => {
      const answer = await ask(registryWith({ DATABASE_READ_URL: "postgresql://127.0.0.1:9/postgres" }));
      expect(answer).toMatchObject(degraded("index-unavailable"));
      expect(answer.health.indexer).toMatchObject({ reachable: false, block: null, lag: null });
    });

    it("is being built, returns degraded with its progress", async () => {
      const answer = await ask(registryWith({ DATABASE_SCHEMA: "new" }));
      expect(answer).toMatchObject(degraded("index-building"));
      expect(answer.health.indexer).toMatchObject({ reachable: true, building: true, block: null });
    });

    // @threat services: Health that hides a broken issuer, database or index
    it("belongs to another deployment on the chain, returns down", async () => {
      const database = new Client({ connectionString: index.url });
      await database.connect();
      onTestFinished(() => database.end());
      // Ponder's triggers run only in its own connections.
      await database.query("set session_replication_role = replica");
      const setRegistry = (value: string) =>
        database.query("update app_registry.deployment_block set registry = $1", [value]);
      await setRegistry(address.toLowerCase());
      await expect.poll(() => ask()).toMatchObject(down("index-of-another-deployment"));
      await setRegistry(fixture.registry.deployment.contracts.AppRegistry.address.toLowerCase());
      await expect.poll(() => ask()).toMatchObject(ok);
    });

    // @threat services: Health that hides a broken issuer, database or index
    it("contains blocks that the chain has replaced, returns down until it has followed", async () => {
      const snapshot = await fixture.chain.snapshot();
      await fixture.chain.mine({ blocks: 1 });
      await index.untilCaughtUp();
      rpcOfIndex.break(() => "drop");
      try {
        await fixture.chain.revert({ id: snapshot });
        await fixture.chain.increaseTime({ seconds: 100 });
        await fixture.chain.mine({ blocks: 1 });
        await expect.poll(() => ask()).toMatchObject(down("index-of-another-chain"));
      } finally {
        rpcOfIndex.heal();
      }
      await fixture.chain.mine({ blocks: 1 });
      await expect.poll(() => ask()).toMatchObject(ok);
    });

    // @threat services: Health that hides a broken issuer, database or index
    it("is further behind the chain than the limit, returns degraded", async () => {
      await index.untilCaughtUp();
      rpcOfIndex.break(() => "drop");
      try {
        // Mine one by one: Hardhat gives blocks that it mines together no parent hash, and no index can follow them.
        for (let mined = 0; mined < 10; mined++) await fixture.chain.mine({ blocks: 1 });
        const [strict, exact] = [9, 10].map((limit) => registryWith({ INDEX_LAG_LIMIT: String(limit) }));
        const answer = await ask(strict);
        expect(answer).toMatchObject(degraded("index-behind"));
        expect(answer.health.indexer.lag).toBe(10);
        await expect.poll(() => ask(exact)).toMatchObject(ok);
      } finally {
        rpcOfIndex.heal();
      }
      await index.untilCaughtUp();
      await expect.poll(() => ask()).toMatchObject(ok);
    });
  });

  // @threat services: Health that hides a broken issuer, database or index
  it("returns degraded for a retired issuer, which still revokes, and down for a distrusted one, whoever pays", async () => {
    const { deployment } = fixture.registry;
    const signing = registryWith({ ISSUER_MODE: "sign" });
    const expectProblem = async (expected: ReturnType<typeof down>, sentence: RegExp) => {
      await index.untilCaughtUp();
      for (const from of [registry, signing]) {
        await expect.poll(() => ask(from)).toMatchObject(expected);
        const { health } = await ask(from);
        expect(health.problems[0]?.message).toMatch(sentence);
        expect(health.issuer.authorised).toBe(false);
      }
    };
    await callAsOwner(fixture.rpcUrl, deployment, { functionName: "retireIssuer", args: [address] });
    await expectProblem(degraded("issuer-retired"), /has been retired .* can revoke, but no longer attest/);
    expect((await ask()).health.issuer).toMatchObject({ revalidation: { overdue: 0 } });

    const since = 1_700_000_000n;
    await callAsOwner(fixture.rpcUrl, deployment, { functionName: "distrustIssuer", args: [address, since] });
    await expectProblem(
      down("issuer-not-authorised"),
      /distrusted .* since 2023-11-14T22:13:20.000Z are void, and it can't make new ones/,
    );
  });
});

/** Creates the registry of a modified deployment file. */
async function createRegistry(
  change: (deployment: Registry["deployment"]) => unknown,
  variables: Record<string, string> = {},
): Promise<Registry> {
  const { DEPLOYMENT_FILE: file = "" } = fixture.variables;
  const changed = `${file}.changed`;
  await writeFile(changed, JSON.stringify(change(JSON.parse(await readFile(file, "utf8")))));
  return registryWith({ ...variables, DEPLOYMENT_FILE: changed });
}
