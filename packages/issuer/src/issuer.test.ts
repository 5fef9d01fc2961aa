import { createGuardedFetch } from "@app-registry/outbound";
import {
  type AppRegistryClient,
  createAppRegistryClient,
  type Deployment,
  didHash,
  hashDocument,
  RpcUnavailableError,
} from "@app-registry/sdk";
import {
  deployContract,
  deployContracts,
  testAccount,
  testClients,
} from "@app-registry/test-kit/deployContracts";
import { type DidHost, startDidHost } from "@app-registry/test-kit/didHost";
import { freePort } from "@app-registry/test-kit/freePort";
import { type HardhatNode, startHardhatNode } from "@app-registry/test-kit/hardhatNode";
import { createDatabase, type PostgresDatabase } from "@app-registry/test-kit/postgres";
import type { Pool } from "pg";
import { createPublicClient, createTestClient, http, type PublicClient } from "viem";
import { hardhat } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NotAnIssuerError } from "./attest/issuerContext.ts";
import { createIssuer, type Issuer } from "./issuer.ts";

const account = testAccount(19);
const wallet = testAccount(1);
const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 30_000 });

let node: HardhatNode;
let postgres: PostgresDatabase;
let database: Pool;
let host: DidHost;
let deployment: Deployment;
let publicClient: PublicClient;
let issuer: Issuer;
let publisher: AppRegistryClient;
const chain = () => createTestClient({ chain: hardhat, mode: "hardhat", transport: http(node.rpcUrl) });
const sentByIssuer = () => publicClient.getTransactionCount({ address: account.address });

beforeAll(async () => {
  [node, host, postgres] = await Promise.all([
    startHardhatNode(await freePort()),
    startDidHost(),
    createDatabase(),
  ]);
  database = postgres.connect();
  deployment = await deployContracts(node.rpcUrl, { issuer: account.address });
  const clients = testClients(node.rpcUrl, wallet);
  publicClient = clients.publicClient as PublicClient;
  publisher = createAppRegistryClient({ deployment, ...clients });
  const options = { account, deployment, publicClient, guardedFetch, database, allowLoopback: true };
  issuer = await createIssuer({ ...options, receiptTimeout: 5_000 });
});
afterAll(async () => {
  await database.end();
  await Promise.all([node.stop(), host.close(), postgres.stop()]);
});

describe("createIssuer", () => {
  const options = () => ({ account, deployment, publicClient, guardedFetch, database });

  it("rejects an account that is not an issuer", async () => {
    await expect(createIssuer({ ...options(), account: testAccount(5) })).rejects.toBeInstanceOf(
      NotAnIssuerError,
    );
  });

  it("rejects a client of another chain than the deployment's", async () => {
    const other = { ...deployment, chainId: 66238 };
    await expect(createIssuer({ ...options(), deployment: other })).rejects.toThrow(/chain 31337/);
  });

  it("throws a retryable error if the RPC is unavailable", async () => {
    const away = createPublicClient({ transport: http("http://127.0.0.1:18589", { retryCount: 0 }) });
    const promise = createIssuer({ ...options(), publicClient: away });
    await expect(promise).rejects.toBeInstanceOf(RpcUnavailableError);
  });
});

describe("verifyAndAttest, with did-ownership", () => {
  const verify = (did: string, connectedAddress = wallet.address) =>
    issuer.verifyAndAttest({ did, connectedAddress });

  it("attests a did:web whose document contains the wallet, then reports that it is attested", async () => {
    const did = host.did(wallet.address);
    const first = await verify(did);
    expect(first).toMatchObject({
      ok: true,
      status: "attested",
      evidence: { kind: "did-document", methodId: `${did}#0`, property: "blockchainAccountId" },
      attestations: [
        { schema: "did-ownership", didHash: didHash(did), subject: wallet.address, issuer: account.address },
      ],
    });
    const [txHash] = first.txHashes;
    const [attestation] = first.attestations;
    expect(attestation?.txHash).toBe(txHash);
    expect(attestation?.expiresAt).toBeGreaterThan(attestation?.statedAt ?? Number.MAX_SAFE_INTEGER);
    expect(await publisher.checkDid({ did, controller: wallet.address })).toBe(true);
    expect(await verify(did)).toEqual({
      ok: true,
      status: "already-attested",
      attestations: [attestation],
      txHashes: [],
    });
  });

  it("does not request the host if the wallet is already attested", async () => {
    const did = host.did(wallet.address);
    await verify(did);
    const asked = host.requests().length;
    await verify(did);
    expect(host.requests()).toHaveLength(asked);
  });

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("sends one transaction for ten concurrent spellings of one DID", async () => {
    const did = host.did(wallet.address);
    const before = await sentByIssuer();
    const spellings = Array.from({ length: 10 }, (_, index) => {
      const spelt = index % 2 ? did.replace("did:web", "DID:Web") : did;
      return `${" ".repeat(index)}${index % 3 ? spelt.replace("%3A", "%3a") : spelt.replace("localhost", "LOCALHOST")}`;
    });
    const results = await Promise.all(spellings.map((spelling) => verify(spelling)));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect((await sentByIssuer()) - before).toBe(1);
  });

  it("attests twenty concurrent DIDs with few transactions", async () => {
    const dids = Array.from({ length: 20 }, () => host.did(wallet.address));
    const before = await sentByIssuer();
    const results = await Promise.all(dids.map((did) => verify(did)));
    expect(results.filter(({ status }) => status !== "attested")).toEqual([]);
    expect((await sentByIssuer()) - before).toBeLessThan(10);
  });

  it("attests nothing for a wallet that is not in the document, and returns the document to publish", async () => {
    const did = host.did(testAccount(2).address);
    const before = await sentByIssuer();
    const result = await verify(did);
    expect(result).toMatchObject({
      ok: false,
      status: "failed",
      code: "wallet-not-in-did-document",
      retryable: false,
      attestations: [],
      txHashes: [],
      ways: [{ way: `${did}#0` }],
      publish: { document: expect.stringContaining(wallet.address) },
    });
    expect(await sentByIssuer()).toBe(before);
  });

  it("fails with a retryable error if the host does not respond", async () => {
    expect(await verify("did:web:localhost%3A65535")).toMatchObject({ status: "failed", retryable: true });
  });

  it("attests a second wallet as waiting, with the time at which control takes effect", async () => {
    const newcomer = testAccount(2).address;
    const did = host.did(wallet.address, newcomer);
    await verify(did);
    const result = await verify(did, newcomer);
    expect(result).toMatchObject({
      ok: false,
      status: "waiting",
      detail: expect.stringContaining("takes effect on"),
    });
    if (result.status !== "waiting") throw new Error(result.status);
    expect(result.controlsFrom).toBeGreaterThanOrEqual((result.attestations[0]?.statedAt ?? 0) + 3_600);

    const before = await sentByIssuer();
    expect(await verify(did, newcomer)).toMatchObject({ status: "waiting", txHashes: [] });
    expect(await sentByIssuer()).toBe(before);

    await chain().increaseTime({ seconds: 7_200 });
    await chain().mine({ blocks: 1 });
    expect(await verify(did, newcomer)).toMatchObject({ ok: true, status: "already-attested" });
  });

  it("attests a did:pkh only for the owner of its contract", async () => {
    const contract = await deployContract(node.rpcUrl, "examples/OwnableService", [wallet.address]);
    const did = `did:pkh:eip155:31337:${contract}`;
    expect(await verify(did, testAccount(3).address)).toMatchObject({
      status: "failed",
      code: "contract-owner-mismatch",
      ways: [{ way: "owner()", reason: expect.stringContaining(wallet.address) }],
    });
    expect(await verify(did)).toMatchObject({
      status: "attested",
      evidence: { kind: "contract-owner", chainId: 31337, contract, way: "owner()" },
    });
  });

  it("returns pending without a receipt, and waits for the same transaction at the next request", async () => {
    const did = host.did(wallet.address);
    await chain().setAutomine(false);
    try {
      const first = await verify(did);
      expect(first).toMatchObject({ ok: false, status: "pending", attestations: [] });
      const second = await verify(did);
      expect(second).toMatchObject({ status: "pending", txHashes: first.txHashes });
      const mined = verify(did);
      await chain().mine({ blocks: 1 });
      expect(await mined).toMatchObject({ ok: true });
    } finally {
      await chain().setAutomine(true);
    }
    expect(await verify(did)).toMatchObject({ status: "already-attested" });
  });

  it.each([[[]], [["did-ownership", "did-ownership"]], [["everything"]], [Array(1_000).fill("data-hash")]])(
    "rejects requiredSchemas %j",
    async (requiredSchemas) => {
      const request = { did: host.did(wallet.address), connectedAddress: wallet.address, requiredSchemas };
      await expect(issuer.verifyAndAttest(request as never)).rejects.toMatchObject({ name: "ZodError" });
    },
  );
});

describe("verifyAndAttest, with data-hash", () => {
  const requiredSchemas = ["did-ownership", "data-hash"] as const;
  const verify = (did: string) =>
    issuer.verifyAndAttest({ did, connectedAddress: wallet.address, requiredSchemas: [...requiredSchemas] });
  const document = '{"name":"A service","n":1.0}';

  /** Registers version 1.0.0 of a new DID, with its JSON on the chain or only at a dataUrl. */
  async function register({ onChain = true, served = document, algorithm = 0 as 0 | 1 } = {}) {
    const did = host.did(wallet.address);
    await issuer.verifyAndAttest({ did, connectedAddress: wallet.address });
    const path = `/${did.split(":").at(-1)}/metadata.json`;
    host.put(path, served);
    const { canonical, dataHash } = hashDocument(document, algorithm);
    const hash = await publisher.mint({
      did,
      interfaces: 1,
      dataUrl: `${host.origin}${path}`,
      dataHash,
      dataHashAlgorithm: algorithm,
      version: { major: 1, minor: 0, patch: 0 },
      traitHashes: [],
      metadataJson: onChain ? canonical : "",
    });
    await publisher.waitForReceipt({ hash });
    return { did, dataHash };
  }

  it.each([
    ["the chain's copy", { onChain: true, served: "{}" }],
    ["the document at dataUrl, canonicalized", { onChain: false }],
    ["a document hashed with sha256", { onChain: false, algorithm: 1 as const }],
  ])("attests the registered hash by %s", async (_, options) => {
    const { did, dataHash } = await register(options);
    const result = await verify(did);
    expect(result).toMatchObject({
      ok: true,
      status: "attested",
      attestations: [{ schema: "did-ownership" }, { schema: "data-hash", subject: dataHash }],
    });
    expect(result.txHashes).toHaveLength(1);
    expect(await publisher.checkDataHashAttestation({ did, dataHash })).toBe(true);
    expect(await verify(did)).toMatchObject({ status: "already-attested", txHashes: [] });
  });

  it.each([
    ["another document", '{"name":"Another"}', "hash-mismatch"],
    ["a document that can't be canonicalized", '{"a":1,"a":2}', "document-invalid"],
  ])("attests nothing if dataUrl serves %s", async (_, served, code) => {
    const { did, dataHash } = await register({ onChain: false, served });
    expect(await verify(did)).toMatchObject({
      ok: false,
      status: "failed",
      code,
      attestations: [{ schema: "did-ownership" }],
    });
    expect(await publisher.checkDataHashAttestation({ did, dataHash })).toBe(false);
  });

  it("attests the hash of the requested major version, by default the latest", async () => {
    const { did, dataHash } = await register();
    const next = hashDocument('{"name":"A second major version"}', 0);
    const hash = await publisher.mint({
      did,
      interfaces: 1,
      dataUrl: `${host.origin}/second.json`,
      dataHash: next.dataHash,
      dataHashAlgorithm: 0,
      version: { major: 2, minor: 0, patch: 0 },
      traitHashes: [],
      metadataJson: next.canonical,
    });
    await publisher.waitForReceipt({ hash });
    const request = { did, connectedAddress: wallet.address, requiredSchemas: ["data-hash" as const] };
    expect(await issuer.verifyAndAttest({ ...request, major: 1 })).toMatchObject({
      status: "attested",
      attestations: [{ subject: dataHash }],
    });
    expect(await issuer.verifyAndAttest(request)).toMatchObject({
      status: "attested",
      attestations: [{ subject: next.dataHash }],
    });
    expect(await issuer.verifyAndAttest({ ...request, major: 3 })).toMatchObject({ code: "app-not-found" });
  });

  it("attests nothing for a record whose minter and holder no longer control the DID", async () => {
    const { did, dataHash } = await register();
    const issuing = createAppRegistryClient({ deployment, ...testClients(node.rpcUrl, account) });
    await issuing.waitForReceipt({ hash: await issuing.revokeDid({ did, controller: wallet.address }) });
    const request = { did, connectedAddress: wallet.address, requiredSchemas: ["data-hash" as const] };
    expect(await issuer.verifyAndAttest(request)).toMatchObject({ code: "record-not-controlled" });
    expect(await publisher.checkDataHashAttestation({ did, dataHash })).toBe(false);
  });

  it("ignores a hash and a URL in the request", async () => {
    const { did } = await register();
    const request = { did, connectedAddress: wallet.address, requiredSchemas: ["data-hash"] };
    for (const named of [{ dataHash: `0x${"11".repeat(32)}` }, { dataUrl: "https://a.example/x.json" }]) {
      const asked = issuer.verifyAndAttest({ ...request, ...named } as never);
      await expect(asked).rejects.toMatchObject({ name: "ZodError" });
    }
  });

  it("attests nothing for a DID that is not registered", async () => {
    expect(await verify(host.did(wallet.address))).toMatchObject({ status: "failed", code: "app-not-found" });
  });
});
