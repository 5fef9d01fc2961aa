import { readFile } from "node:fs/promises";
import { didHash } from "@app-registry/sdk";
import { resolverAbi } from "@app-registry/sdk/abi";
import { eventually } from "@app-registry/test-kit/eventually";
import { found, get, search, untilIndexed } from "@app-registry/test-kit/indexerRequests";
import {
  type Chain,
  type Indexer,
  rpc,
  startChain,
  startIndexer,
  stopAll,
} from "@app-registry/test-kit/startIndexer";
import { encodeFunctionData } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localAccount } from "../../../scripts/stack/accounts.ts";
import { createClient, getIssuer, mined, publication, register } from "./harness/registry.ts";
import { readSql } from "./harness/tables.ts";

const alice = localAccount(1);
const bob = localAccount(2);

/** Settings without off-chain documents, which are not part of the chain. */
const environment = { OFFCHAIN_DOCUMENTS: "off" };

describe("an index that follows the chain", () => {
  let chain: Chain;
  let indexer: Indexer;

  beforeAll(async () => {
    chain = await startChain();
    indexer = await startIndexer(chain, { environment });
  });

  afterAll(() => stopAll(chain));

  it("shows a new record", async () => {
    const block = await register(chain, alice, {
      did: "did:web:live.test",
      metadata: { name: "Live", traits: ["live"] },
    });
    await untilIndexed(indexer, block);
    expect(await found(indexer, { traits: "live" })).toEqual(["live.test"]);
  });

  it("returns the registry's address and the hashes of the index's last block and of the deployment's block", async () => {
    const { status, body } = await get(indexer, "/state");
    const { block, hash, deployment, registry } = body as {
      block: number;
      hash: string;
      deployment: { hash: string };
      registry: string;
    };
    const computeHash = async (number: number) => {
      const found = await rpc(chain.rpcUrl, "eth_getBlockByNumber", [`0x${number.toString(16)}`, false]);
      return (found as { hash: string }).hash;
    };
    expect(status).toBe(200);
    expect(hash).toBe(await computeHash(block));
    const { deployBlock, contracts } = chain.deployment;
    expect(registry).toBe(contracts.AppRegistry.address);
    expect(deployment).toEqual({ number: deployBlock, hash: await computeHash(deployBlock) });
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

    const { body } = await get(indexer, `/apps/${didHash(did)}/versions`);
    const old = publication({ did, metadata: { name: "Live", traits: ["live"] } });
    expect(body).toMatchObject({
      versions: [
        { version: "1.1.0", dataHash: update.dataHash, dataUrl: update.dataUrl },
        { version: "1.0.0", dataHash: old.dataHash, dataUrl: old.dataUrl, traitHashes: old.traitHashes },
      ],
    });
    const { versions } = body as { versions: { pointer: `0x${string}` }[] };
    const texts = await Promise.all(versions.map(({ pointer }) => client.getMetadataAt(pointer)));
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
    const { body } = await get(indexer, `/apps/${didHash(update.did)}/versions`, { version: "1.1" });
    expect(body).toMatchObject({ versions: [{ version: "1.1.1", pointer: expect.stringMatching(/^0x/) }] });
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

  it("omits a deprecated record from the default search, and finds it by status", async () => {
    const client = createClient(chain, alice);
    const did = "did:web:retired.test";
    await register(chain, alice, { did, metadata: { name: "Retired" } });
    await untilIndexed(indexer, await mined(client, client.updateStatus({ did, major: 1, status: 1 })));
    expect(await found(indexer, { did })).toEqual([]);
    expect(await found(indexer, { did, status: "deprecated" })).toEqual(["retired.test"]);
    expect(await found(indexer, { did, status: "any" })).toEqual(["retired.test"]);
    await untilIndexed(indexer, await mined(client, client.updateStatus({ did, major: 1, status: 0 })));
    expect(await found(indexer, { did })).toEqual(["retired.test"]);
  });

  it("updates a token's holder and keeps its minter", async () => {
    const client = createClient(chain, alice);
    const did = "did:web:sold.test";
    await register(chain, alice, { did, metadata: { name: "Sold" } });
    const tokenId = await client.tokenIdOf({ did, major: 1 });
    const transfer = client.transfer({ from: alice.address, to: bob.address, tokenId });
    await untilIndexed(indexer, await mined(client, transfer));
    const { results } = await search(indexer, { did, owner: bob.address });
    expect(results).toMatchObject([{ owner: bob.address, minter: alice.address }]);
  });

  it("stores attestations, blocks and issuers from their events, and lists the live ones", async () => {
    const issuer = getIssuer(chain);
    const did = "did:web:both.test";
    const service = { did, metadata: { name: "Both" } };
    await register(chain, alice, service);
    const { dataHash } = publication(service);
    await mined(issuer, issuer.attestDataHash({ did, dataHash }));
    await mined(issuer, issuer.attestDid({ did, controller: bob.address }));
    const client = createClient(chain, alice);
    // An account can't be blocked earlier after the claim.
    await pass(HOUR);
    const until = (await now()) + HOUR;
    await mined(client, client.blockController({ did, controller: bob.address, until }));
    await untilIndexed(indexer, await mined(issuer, issuer.revokeDid({ did, controller: alice.address })));
    const query = `query ($didHash: String) {
      didAttestations(where: { didHash: $didHash }, orderBy: "startedAt") { items { controller endedAt revokedAt } }
      liveDidAttestations(where: { didHash: $didHash }) { items { controller matured blocked } }
      liveDataHashAttestations(where: { didHash: $didHash }) { items { dataHash } }
      blocks(where: { didHash: $didHash }) { items { account author blockedUntil weight unblockedAt } }
      issuers { items { address status distrustedSince } }
      resolverLimits { items { name seconds } }
    }`;
    const response = await fetch(`${indexer.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query, variables: { didHash: didHash(did) } }),
    });
    const [first, second] = [alice.address.toLowerCase(), bob.address.toLowerCase()];
    const issuers = [
      { address: localAccount(19).address.toLowerCase(), status: "active", distrustedSince: null },
    ];
    expect(await response.json()).toEqual({
      data: {
        didAttestations: {
          items: [
            { controller: first, endedAt: expect.any(Number), revokedAt: expect.any(Number) },
            { controller: second, endedAt: null, revokedAt: null },
          ],
        },
        liveDidAttestations: { items: [{ controller: second, matured: false, blocked: true }] },
        liveDataHashAttestations: { items: [{ dataHash }] },
        blocks: {
          items: [{ account: second, author: first, blockedUntil: until, weight: 1, unblockedAt: null }],
        },
        issuers: { items: issuers },
        resolverLimits: {
          items: [
            { name: "challenge_period", seconds: 7 * 86_400 },
            { name: "maturation", seconds: 3_600 },
            { name: "max_ttl", seconds: 365 * 86_400 },
          ],
        },
      },
    });
  });

  it("reverts an abandoned block, whose pointer then holds another JSON", async () => {
    const client = createClient(chain, alice);
    const did = "did:web:fork.test";
    await mined(getIssuer(chain), getIssuer(chain).attestDid({ did, controller: alice.address }));
    const snapshot = await rpc(chain.rpcUrl, "evm_snapshot", []);
    const abandoned = publication({ did, metadata: { name: "Abandoned", traits: ["abandoned"] } });
    await untilIndexed(indexer, await mined(client, client.mint(abandoned)));
    expect(await found(indexer, { traits: "abandoned" })).toEqual(["fork.test"]);

    await rpc(chain.rpcUrl, "evm_revert", [snapshot]);
    const kept = publication({ did, metadata: { name: "Kept", traits: ["kept"] } });
    await mined(client, client.mint(kept));
    await rpc(chain.rpcUrl, "hardhat_mine", ["0x2"]);
    await eventually(async () => expect(await found(indexer, { traits: "kept" })).toEqual(["fork.test"]));
    expect((await search(indexer, { did })).results).toMatchObject([{ name: "Kept", traits: ["kept"] }]);
    expect(await found(indexer, { traits: "abandoned", status: "any" })).toEqual([]);
    expect(await found(indexer, { q: "abandoned", status: "any" })).toEqual([]);
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
  async function resolveAsOwner(
    functionName: "addIssuer" | "distrustIssuer",
    args: unknown[],
  ): Promise<void> {
    const data = encodeFunctionData({ abi: resolverAbi, functionName, args } as never);
    const to = chain.deployment.contracts.ResolverWithStore.address;
    await rpc(chain.rpcUrl, "eth_sendTransaction", [{ from: localAccount(0).address, to, data }]);
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
      { control: "pass", content: "pass", attested: "pass", attestedUntil, live: "unknown" },
    ]);
    expect(await found(indexer, q)).toEqual(["short.test", "lasting.test"]);
    expect(await found(indexer, { ...q, attested: "fail" })).toEqual(["lasting.test"]);

    await pass(HOUR);
    expect(await getFacts(short.did)).toEqual([
      { control: "fail", content: "pass", attested: "pass", attestedUntil, live: "unknown" },
    ]);
    expect(await found(indexer, q)).toEqual(["lasting.test", "short.test"]);
    expect(await found(indexer, { ...q, control: "pass" })).toEqual(["lasting.test"]);
    expect(await found(indexer, { control: "fail" })).toContain("short.test");
    expect(await found(indexer, { ...q, attested: "pass" })).toEqual(["short.test"]);

    await pass(HOUR);
    expect(await getFacts(short.did)).toEqual([
      { control: "fail", content: "pass", attested: "fail", live: "unknown" },
    ]);
    expect(await found(indexer, { ...q, attested: "pass" })).toEqual([]);
  });

  it("tracks control through a sale, an account waiting for control and a block", async () => {
    const did = "did:web:bazaar.test";
    const issuer = getIssuer(chain);
    const client = createClient(chain, alice);
    const control = async () => (await getFacts(did))[0]?.control;
    await register(chain, alice, { did, metadata: { name: "Bazaar" } });
    await pass(HOUR);
    await mined(issuer, issuer.attestDid({ did, controller: bob.address }));
    const until = (await now()) + 3 * HOUR;
    await mined(client, client.blockController({ did, controller: bob.address, until }));
    const carol = localAccount(3).address;
    await mined(issuer, issuer.attestDid({ did, controller: carol }));
    await untilIndexed(indexer, await mined(issuer, issuer.revokeDid({ did, controller: alice.address })));
    expect(await control()).toBe("fail");
    const tokenId = await client.tokenIdOf({ did, major: 1 });
    await untilIndexed(
      indexer,
      await mined(client, client.transfer({ from: alice.address, to: carol, tokenId })),
    );
    expect(await control()).toBe("fail");
    await pass(HOUR);
    expect(await control()).toBe("pass");

    const seller = createClient(chain, localAccount(3));
    await untilIndexed(
      indexer,
      await mined(seller, seller.transfer({ from: carol, to: bob.address, tokenId })),
    );
    expect(await control()).toBe("fail");
    expect(await found(indexer, { control: "unknown" })).toEqual([]);
    await pass(2 * HOUR);
    expect(await control()).toBe("pass");
  });

  it("ignores attestations by a distrusted issuer and of a replaced document", async () => {
    const did = "did:web:betrayed.test";
    const untrue = localAccount(18);
    await resolveAsOwner("addIssuer", [untrue.address]);
    const issuer = createClient(chain, untrue);
    const client = createClient(chain, alice);
    const first = publication({ did, metadata: { name: "Betrayed" } });
    await mined(issuer, issuer.attestDid({ did, controller: alice.address }));
    await mined(client, client.mint(first));
    const next = publication({
      ...{ did, metadata: { name: "Replaced" }, onChain: false },
      version: { major: 1, minor: 1, patch: 0 },
    });
    await untilIndexed(
      indexer,
      await mined(issuer, issuer.attestDataHash({ did, dataHash: first.dataHash })),
    );
    const live = { control: "pass", live: "unknown", attested: "pass", attestedUntil: expect.any(Number) };
    expect(await getFacts(did)).toEqual([{ ...live, content: "pass" }]);
    expect(await getEvidence(did)).toEqual([0]);

    const { interfaces: _keep, ...update } = next;
    await untilIndexed(indexer, await mined(client, client.updateAppControlled(update)));
    expect(await getFacts(did)).toEqual([
      { control: "pass", content: "unknown", attested: "fail", live: "unknown" },
    ]);
    expect(await found(indexer, { content: "unknown", q: "betrayed" })).toEqual(["betrayed.test"]);
    expect(await getEvidence(did)).toEqual([1]);
    await untilIndexed(indexer, await mined(issuer, issuer.attestDataHash({ did, dataHash: next.dataHash })));
    expect(await getFacts(did)).toEqual([{ ...live, content: "unknown" }]);
    expect(await getEvidence(did)).toEqual([0]);

    await resolveAsOwner("distrustIssuer", [untrue.address, 1n]);
    await pass(1);
    expect(await getFacts(did)).toEqual([
      { control: "fail", content: "unknown", attested: "fail", live: "unknown" },
    ]);
  });

  /** Reads the column by which a search selects candidates to rank. */
  const getEvidence = async (did: string) =>
    (await readSql(indexer, `select unproven from app where did = '${did}'`)).map(({ unproven }) => unproven);

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
    expect(await evidenceAfter(issuer.attestDid({ did, controller: bob.address }))).toEqual([0]);
    expect(await evidenceAfter(issuer.revokeDid({ did, controller: alice.address }))).toEqual([2]);
    expect(await evidenceAfter(issuer.revokeDataHash({ did, dataHash }))).toEqual([3]);
    const tokenId = await client.tokenIdOf({ did, major: 1 });
    await mined(client, client.transfer({ from: alice.address, to: bob.address, tokenId }));
    // An issuer can't attest a revoked statement earlier.
    await pass(HOUR);
    expect(await evidenceAfter(issuer.attestDataHash({ did, dataHash }))).toEqual([0]);
  });

  it.runIf(process.env.TEST_LONG)("gives the same answers after a restart, and leaves no lock", async () => {
    const before = await search(indexer, { limit: 100, status: "any" });
    await indexer.stop();
    indexer = await startIndexer(chain, { environment });
    expect((await search(indexer, { limit: 100, status: "any" })).results).toEqual(before.results);
    const log = await readFile(indexer.logFile, "utf8");
    expect(log).toContain("Detected crash recovery");
    expect(log).not.toContain("Schema is locked by a different Ponder app");
    // `reorg.test.ts` compares all tables with those of a new index.
    await indexer.stop();
    indexer = await startIndexer(chain, { index: "another_index", environment });
    expect((await search(indexer, { limit: 100, status: "any" })).results).toEqual(before.results);
  });
});
