import { readFile } from "node:fs/promises";
import { deploymentBlock } from "@app-registry/index/tables";
import { listVersions } from "@app-registry/index/versions";
import { didHash, traitHash } from "@app-registry/sdk";
import { eventually } from "@app-registry/test-kit/eventually";
import { freePort } from "@app-registry/test-kit/freePort";
import { found, read, search, untilIndexed } from "@app-registry/test-kit/indexReads";
import {
  type Chain,
  type Indexer,
  rpc,
  startChain,
  startIndexer,
  stopAll,
} from "@app-registry/test-kit/startIndexer";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localAccount } from "../../../scripts/stack/accounts.ts";
import { type DocumentPlace, describeDocuments } from "./harness/describeDocuments.ts";
import { createClient, getIssuer, mined, publication, register } from "./harness/registry.ts";
import { removeStaleLock } from "./harness/removeStaleLock.ts";
import { selectRows } from "./harness/tables.ts";
import { services } from "./services.ts";

const alice = localAccount(1);
const bob = localAccount(2);

/** Settings without off-chain documents, which are not part of the chain. */
const environment = { OFFCHAIN_DOCUMENTS: "off" };

describe("an index that follows the chain", () => {
  let chain: Chain;
  let indexer: Indexer;
  const place = {} as DocumentPlace;

  beforeAll(async () => {
    chain = await startChain();
    for (const [position, service] of services.entries()) {
      await register(chain, position % 2 ? bob : alice, service);
    }
    const metricsPort = await freePort();
    indexer = await startIndexer(chain, {
      environment: { ...environment, METRICS_PORT: String(metricsPort) },
    });
    Object.assign(place, { chain, indexer, metricsPort });
  });

  afterAll(() => stopAll(chain));

  const readVersions = (did: string) => read(indexer, (session) => listVersions(session, didHash(did)));

  describe("search for records minted before the indexer started", () => {
    it("lists every Active record, newest first, in the form of searchPageSchema, with the indexed block", async () => {
      const page = await search(indexer, { limit: 100 });
      expect(page.results.map(({ did }) => did)).toEqual(services.map(({ did }) => did).reverse());
      expect(page).toMatchObject({ source: "index", nextCursor: null });
      expect(page.block).toBeGreaterThan(chain.deployment.deployBlock);
    });

    it("shows a record with the labels of its on-chain JSON", async () => {
      const { results } = await search(indexer, { did: "did:web:rest.test" });
      expect(results).toEqual([
        {
          did: "did:web:rest.test",
          proven: { kind: "host", name: "rest.test" },
          major: 1,
          version: "1.0.0",
          tokenId: "1",
          owner: alice.address,
          minter: alice.address,
          status: 0,
          interfaces: 2,
          dataUrl: "https://registry.test/did:web:rest.test/v/1.0.0",
          dataHash: publication(services[0] as (typeof services)[0]).dataHash,
          dataHashAlgorithm: 0,
          traits: ["api:rest", "weather", "pay:x402", "pay:x402:eip155:8453"],
          traitHashes: ["api:rest", "weather", "pay:x402", "pay:x402:eip155:8453"].map(traitHash),
          name: "Weather Atlas",
          description: "Forecasts for every city",
          publisher: "Meteo Société",
          image: "https://rest.test/icon.png",
          endpoints: [{ name: "REST", endpoint: "https://rest.test/v1" }],
          latest: true,
          updatedAt: expect.any(Number),
          changedAt: expect.any(Number),
          changedBlock: expect.any(Number),
          document: { source: "chain" },
          facts: { control: "pass", content: "pass", attested: "fail", origin: "pass", live: "unknown" },
        },
      ]);
    });

    it("lists records whose JSON is invalid, contains any character, or has more words than an index entry", async () => {
      expect(await found(indexer, { traits: "broken" })).toEqual(["list.test", "notjson.test"]);
      expect(await found(indexer, { traits: "huge", q: "wind" })).toEqual(["huge.test"]);
      const { results } = await search(indexer, { did: "did:web:nasty.test" });
      expect(results[0]).toMatchObject({
        name: 'ab\'); drop table app; --\t\\N \\ \n {"x"}',
        description: "NULL \\. \r\n,{}",
        traits: ["nasty"],
      });
    });

    it("sorts names without regard to case and accents, and nameless records by their DID", async () => {
      const dids = await found(indexer, { sort: "name", interface: 1 });
      expect(dids).toEqual(["human.test", "bare.test", "both.test", "all.test"]);
    });
  });

  it("shows a new record", async () => {
    const block = await register(chain, alice, {
      did: "did:web:live.test",
      metadata: { name: "Live", traits: ["live"] },
    });
    await untilIndexed(indexer, block);
    expect(await found(indexer, { traits: "live" })).toEqual(["live.test"]);
  });

  it("has the hashes of its last block and of the deployment's block, and the registry's address", async () => {
    const { state, deployment } = await indexer.index.read(async ({ db }, last) => ({
      ...{ state: last, deployment: (await db.select().from(deploymentBlock))[0] },
    }));
    const computeHash = async (number: number) => {
      const found = await rpc(chain.rpcUrl, "eth_getBlockByNumber", [`0x${number.toString(16)}`, false]);
      return (found as { hash: string }).hash;
    };
    const { block = 0 } = state;
    expect(state).toEqual({ isReady: true, block, hash: await computeHash(block) });
    const { deployBlock, contracts } = chain.deployment;
    expect(deployment).toMatchObject({
      ...{ number: deployBlock, hash: await computeHash(deployBlock) },
      registry: contracts.AppRegistry.address.toLowerCase(),
    });
  });

  it("labels a record with its new version and keeps the old version", async () => {
    const client = createClient(chain, alice);
    const { did } = publication({ did: "did:web:live.test", metadata: {} });
    const { interfaces: _keep, ...update } = publication({
      did,
      version: { major: 1, minor: 1, patch: 0 },
      metadata: { name: "Alive", description: "Renamed", traits: ["alive"] },
    });
    await untilIndexed(indexer, await mined(client, client.updateAppControlled(update)));
    const { results } = await search(indexer, { did });
    expect(results).toMatchObject([{ version: "1.1.0", name: "Alive", traits: ["alive"], interfaces: 2 }]);
    expect(await found(indexer, { traits: "live" })).toEqual([]);
    expect(await found(indexer, { q: "Renamed" })).toEqual(["live.test"]);
    expect(await found(indexer, { minVersion: "1.0.1" })).toEqual(["live.test"]);

    const versions = await readVersions(did);
    const old = publication({ did, metadata: { name: "Live", traits: ["live"] } });
    expect(versions).toMatchObject([
      { version: "1.1.0", dataHash: update.dataHash, dataUrl: update.dataUrl },
      { version: "1.0.0", dataHash: old.dataHash, dataUrl: old.dataUrl, traitHashes: old.traitHashes },
    ]);
    const texts = await Promise.all(versions.map(({ pointer }) => client.getMetadataAt(pointer ?? "0x")));
    expect(texts).toEqual([update.metadataJson, old.metadataJson]);
  });

  it("keeps the labels if a version changes only its number", async () => {
    const client = createClient(chain, alice);
    const {
      interfaces: _keep,
      traitHashes: _same,
      metadataJson: _none,
      ...update
    } = publication({
      did: "did:web:live.test",
      version: { major: 1, minor: 1, patch: 1 },
      metadata: { name: "Alive", description: "Renamed", traits: ["alive"] },
    });
    await untilIndexed(indexer, await mined(client, client.updateAppControlled(update)));
    const { results } = await search(indexer, { did: update.did });
    expect(results).toMatchObject([{ version: "1.1.1", name: "Alive", traits: ["alive"] }]);
    const [latest] = await readVersions(update.did);
    expect(latest).toMatchObject({ version: "1.1.1", pointer: expect.stringMatching(/^0x/) });
  });

  it("never labels one major version with the JSON of another", async () => {
    const client = createClient(chain, alice);
    const did = "did:web:live.test";
    const second = publication({
      did,
      version: { major: 2, minor: 0, patch: 0 },
      metadata: { name: "Second", traits: ["second"] },
    });
    await mined(client, client.mint(second));
    const { interfaces: _keep, ...update } = publication({
      did,
      version: { major: 1, minor: 2, patch: 0 },
      metadata: { name: "First again", traits: ["first"] },
    });
    await mined(client, client.updateAppControlled(update));
    const republished = String(update.metadataJson);
    await untilIndexed(
      indexer,
      await mined(client, client.republishMetadata({ did, major: 1, metadataJson: republished })),
    );
    const { results } = await search(indexer, { did });
    expect(results.map(({ version, name, traits, latest }) => [version, name, traits, latest])).toEqual([
      ["2.0.0", "Second", ["second"], true],
      ["1.2.0", "First again", ["first"], false],
    ]);
  });

  const HOUR = 3_600;
  async function now(): Promise<number> {
    const block = await rpc(chain.rpcUrl, "eth_getBlockByNumber", ["latest", false]);
    return Number((block as { timestamp: string }).timestamp);
  }
  const getFacts = async (did: string) =>
    (await search(indexer, { did, status: "any" })).results.map(({ facts }) => facts);
  /** Moves the chain's time forward without events. */
  async function pass(seconds: number): Promise<void> {
    await rpc(chain.rpcUrl, "evm_increaseTime", [seconds]);
    await rpc(chain.rpcUrl, "evm_mine", []);
    await untilIndexed(indexer, Number(await rpc(chain.rpcUrl, "eth_blockNumber", [])));
  }
  it("filters and ranks by facts, also after an attestation expires without an event", async () => {
    const issuer = getIssuer(chain);
    const client = createClient(chain, alice);
    const short = { did: "did:web:short.test", metadata: { name: "Ephemeral lamp" } };
    const { dataHash, ...short1 } = publication(short);
    const expiresAt = (await now()) + HOUR;
    await mined(issuer, issuer.attestDid({ did: short.did, controller: alice.address, expiresAt }));
    await mined(client, client.mint({ ...short1, dataHash }));
    const attestedUntil = expiresAt + HOUR;
    await mined(issuer, issuer.attestDataHash({ did: short.did, dataHash, expiresAt: attestedUntil }));
    await untilIndexed(
      indexer,
      await register(chain, bob, { did: "did:web:lasting.test", metadata: { name: "Ephemeral lamps" } }),
    );
    const q = { q: "ephemeral" };
    expect(await getFacts(short.did)).toEqual([
      { control: "pass", content: "pass", attested: "pass", attestedUntil, origin: "pass", live: "unknown" },
    ]);
    expect(await found(indexer, q)).toEqual(["short.test", "lasting.test"]);
    expect(await found(indexer, { ...q, attested: "fail" })).toEqual(["lasting.test"]);

    await pass(HOUR);
    expect(await getFacts(short.did)).toEqual([
      { control: "fail", content: "pass", attested: "pass", attestedUntil, origin: "pass", live: "unknown" },
    ]);
    expect(await found(indexer, q)).toEqual(["lasting.test", "short.test"]);
    expect(await found(indexer, { ...q, control: "pass" })).toEqual(["lasting.test"]);
    expect(await found(indexer, { control: "fail" })).toContain("short.test");
    expect(await found(indexer, { ...q, attested: "pass" })).toEqual(["short.test"]);

    await pass(HOUR);
    expect(await getFacts(short.did)).toEqual([
      { control: "fail", content: "pass", attested: "fail", origin: "pass", live: "unknown" },
    ]);
    expect(await found(indexer, { ...q, attested: "pass" })).toEqual([]);
  });

  /** Reads the column by which a search selects candidates to rank. */
  const getEvidence = async (did: string) =>
    (await selectRows(indexer, `select unproven from app where did = '${did}'`)).map(
      ({ unproven }) => unproven,
    );

  it("updates a record's missing evidence from attestations of its own accounts and document", async () => {
    const did = "did:web:evidence.test";
    const issuer = getIssuer(chain);
    const client = createClient(chain, alice);
    const service = { did, metadata: { name: "Evidence" }, onChain: false };
    const { dataHash } = publication(service);
    const other = publication({ did, metadata: { name: "Other" } }).dataHash;
    await untilIndexed(indexer, await register(chain, alice, service));
    expect(await getEvidence(did)).toEqual([1]);
    const evidenceAfter = async (transaction: Promise<`0x${string}`>) => {
      await untilIndexed(indexer, await mined(issuer, transaction));
      return getEvidence(did);
    };
    expect(await evidenceAfter(issuer.attestDataHash({ did, dataHash: other }))).toEqual([1]);
    expect(await evidenceAfter(issuer.attestDataHash({ did, dataHash }))).toEqual([0]);
    const { interfaces: _keep, ...next } = publication({
      ...{ did, version: { major: 1, minor: 1, patch: 0 }, metadata: { name: "Replaced" }, onChain: false },
    });
    await untilIndexed(indexer, await mined(client, client.updateAppControlled(next)));
    expect(await getEvidence(did)).toEqual([1]);
    expect(await getFacts(did)).toMatchObject([{ control: "pass", content: "unknown", attested: "fail" }]);
    expect(await evidenceAfter(issuer.attestDataHash({ did, dataHash: next.dataHash }))).toEqual([0]);
    expect(await evidenceAfter(issuer.attestDid({ did, controller: bob.address }))).toEqual([0]);
    expect(await evidenceAfter(issuer.revokeDid({ did, controller: alice.address }))).toEqual([2]);
    expect(await evidenceAfter(issuer.revokeDataHash({ did, dataHash: next.dataHash }))).toEqual([3]);
    const tokenId = await client.tokenIdOf({ did, major: 1 });
    await mined(client, client.transfer({ from: alice.address, to: bob.address, tokenId }));
    // An issuer can't attest a revoked statement earlier.
    await pass(HOUR);
    expect(await evidenceAfter(issuer.attestDataHash({ did, dataHash: next.dataHash }))).toEqual([0]);
  });

  describeDocuments(place);

  /** Counts the indexes of the tables until the returned function is called, which returns the lowest count. */
  function watchIndexes(pool: Pool): () => Promise<number> {
    let fewest = Number.POSITIVE_INFINITY;
    let isOver = false;
    const watching = (async () => {
      do {
        const { rows } = await pool.query<{ count: number }>(
          "select count(*)::int as count from pg_indexes where schemaname = 'app_registry'",
        );
        fewest = Math.min(fewest, rows[0]?.count ?? 0);
      } while (!isOver);
    })();
    return async () => {
      isOver = true;
      await watching;
      return fewest;
    };
  }

  it.runIf(process.env.TEST_LONG)(
    "keeps its answers and its indexes when it restarts, and leaves no lock",
    async () => {
      const before = await search(indexer, { limit: 100, status: "any" });
      const pool = chain.database.connect();
      const count = await watchIndexes(pool)();
      expect(count).toBeGreaterThan(16);
      const fewest = watchIndexes(pool);
      await indexer.kill();
      await removeStaleLock(chain, {});
      for (const isLast of [false, true]) {
        indexer = await startIndexer(chain, { environment });
        // The index is complete before its indexer has started.
        const readLog = () => readFile(indexer.logFile, "utf8");
        await eventually(async () => expect(await readLog()).toContain("Started live indexing"));
        expect(await readLog()).toContain("Detected crash recovery");
        if (!isLast) await indexer.stop();
      }
      expect(await fewest()).toBe(count);
      await pool.end();
      expect((await search(indexer, { limit: 100, status: "any" })).results).toEqual(before.results);
      const log = await readFile(indexer.logFile, "utf8");
      expect(log).not.toContain("Schema is locked by a different Ponder app");
      await indexer.stop();
      indexer = await startIndexer(chain, { index: "another_index", environment });
      expect((await search(indexer, { limit: 100, status: "any" })).results).toEqual(before.results);
    },
  );
});
