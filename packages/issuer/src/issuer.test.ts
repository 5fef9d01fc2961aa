import { createGuardedFetch } from "@app-registry/outbound";
import { didHash, hashDocument, RpcUnavailableError } from "@app-registry/sdk";
import { deployContract, testAccount } from "@app-registry/test-kit/deployContracts";
import { createPublicClient, http } from "viem";
import { describe, expect, it } from "vitest";
import { another, chain, fixture, HOUR, process, useIssuer, wallet } from "../test/support/issuerFixture.ts";
import { NotAnIssuerError } from "./attest/issuerContext.ts";
import { createIssuer } from "./issuer.ts";

const account = testAccount(19);
const publisher = () => chain.clientOf(1);
const request = (did: string) => ({ did, connectedAddress: wallet });

useIssuer({ once: true });

describe("createIssuer", () => {
  const options = () => {
    const { publicClient, database } = fixture;
    const { deployment } = chain;
    return { account, deployment, publicClient, database, guardedFetch: createGuardedFetch() };
  };

  it("rejects an account that is not an issuer", async () => {
    await expect(createIssuer({ ...options(), account: testAccount(5) })).rejects.toBeInstanceOf(
      NotAnIssuerError,
    );
  });

  it("rejects a client of another chain than the deployment's", async () => {
    const other = { ...chain.deployment, chainId: 66238 };
    await expect(createIssuer({ ...options(), deployment: other })).rejects.toThrow(/chain 31337/);
  });

  it("throws a retryable error if the RPC is unavailable", async () => {
    const away = createPublicClient({ transport: http("http://127.0.0.1:18589", { retryCount: 0 }) });
    const promise = createIssuer({ ...options(), publicClient: away });
    await expect(promise).rejects.toBeInstanceOf(RpcUnavailableError);
  });
});

describe("verifyAndAttest, with did-ownership", () => {
  const verify = (did: string, connectedAddress = wallet) =>
    process.issuer.verifyAndAttest({ did, connectedAddress });

  it("attests a did:web whose document contains the wallet, and reports it again without a request", async () => {
    const did = fixture.host.did(wallet);
    const first = await verify(did);
    expect(first).toMatchObject({
      ok: true,
      status: "attested",
      evidence: { kind: "did-document", methodId: `${did}#0`, property: "blockchainAccountId" },
      attestations: [
        { schema: "did-ownership", didHash: didHash(did), subject: wallet, issuer: account.address },
      ],
    });
    const [txHash] = first.txHashes;
    const [attestation] = first.attestations;
    expect(attestation?.txHash).toBe(txHash);
    expect(attestation?.expiresAt).toBeGreaterThan(attestation?.statedAt ?? Number.MAX_SAFE_INTEGER);
    expect(await publisher().checkDid({ did, controller: wallet })).toBe(true);
    const asked = fixture.host.requests().length;
    expect(await verify(did)).toEqual({
      ok: true,
      status: "already-attested",
      attestations: [attestation],
      txHashes: [],
    });
    expect(fixture.host.requests()).toHaveLength(asked);
  });

  // @threat services: Clients that repeat themselves or use up others' checks, or a limit that refuses only once
  it("sends one transaction for ten concurrent spellings of one DID", async () => {
    const did = fixture.host.did(wallet);
    const before = await chain.sent();
    const spellings = Array.from({ length: 10 }, (_, index) => {
      const spelt = index % 2 ? did.replace("did:web", "DID:Web") : did;
      return `${" ".repeat(index)}${index % 3 ? spelt.replace("%3A", "%3a") : spelt.replace("localhost", "LOCALHOST")}`;
    });
    const results = await Promise.all(spellings.map((spelling) => verify(spelling)));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect((await chain.sent()) - before).toBe(1);
  });

  it("attests nothing for a wallet that is not in the document, and returns the document to publish", async () => {
    const did = fixture.host.did(another);
    const before = await chain.sent();
    const result = await verify(did);
    expect(result).toMatchObject({
      ok: false,
      status: "failed",
      code: "wallet-not-in-did-document",
      retryable: false,
      attestations: [],
      txHashes: [],
      ways: [{ way: `${did}#0` }],
      publish: { document: expect.stringContaining(wallet) },
    });
    expect(await chain.sent()).toBe(before);
  });

  it("fails with a retryable error if the host does not respond", async () => {
    expect(await verify("did:web:localhost%3A65535")).toMatchObject({ status: "failed", retryable: true });
  });

  it("attests a second wallet as waiting, with the time at which control takes effect", async () => {
    const did = fixture.host.did(wallet, another);
    await verify(did);
    const result = await verify(did, another);
    expect(result).toMatchObject({
      ok: false,
      status: "waiting",
      detail: expect.stringContaining("takes effect on"),
    });
    if (result.status !== "waiting") throw new Error(result.status);
    expect(result.controlsFrom).toBeGreaterThanOrEqual((result.attestations[0]?.statedAt ?? 0) + 3_600);

    const before = await chain.sent();
    expect(await verify(did, another)).toMatchObject({ status: "waiting", txHashes: [] });
    expect(await chain.sent()).toBe(before);

    await chain.pass(3 * HOUR);
    expect(await verify(did, another)).toMatchObject({ ok: true, status: "already-attested" });
  });

  it("attests a did:pkh only for the owner of its contract", async () => {
    const contract = await deployContract(fixture.rpcUrl, "examples/OwnableService", [wallet]);
    const did = `did:pkh:eip155:31337:${contract}`;
    expect(await verify(did, testAccount(3).address)).toMatchObject({
      status: "failed",
      code: "contract-owner-mismatch",
      ways: [{ way: "owner()", reason: expect.stringContaining(wallet) }],
    });
    expect(await verify(did)).toMatchObject({
      status: "attested",
      evidence: { kind: "contract-owner", chainId: 31337, contract, way: "owner()" },
    });
  });
});

describe("verifyAndAttest, with data-hash", () => {
  const requiredSchemas = ["did-ownership", "data-hash"] as const;
  const verify = (did: string) =>
    process.issuer.verifyAndAttest({ ...request(did), requiredSchemas: [...requiredSchemas] });
  const document = '{"name":"A service","n":1.0}';

  /** Registers version 1.0.0 of a new DID, with its JSON on the chain or only at a dataUrl. */
  async function register({ onChain = true, served = document, algorithm = 0 as 0 | 1 } = {}) {
    const did = fixture.host.did(wallet);
    await process.issuer.verifyAndAttest(request(did));
    const path = `/${did.split(":").at(-1)}/metadata.json`;
    fixture.host.put(path, served);
    const { canonical, dataHash } = hashDocument(document, algorithm);
    const hash = await publisher().mint({
      did,
      interfaces: 1,
      dataUrl: `${fixture.host.origin}${path}`,
      dataHash,
      dataHashAlgorithm: algorithm,
      version: { major: 1, minor: 0, patch: 0 },
      traitHashes: [],
      metadataJson: onChain ? canonical : "",
    });
    await publisher().waitForReceipt({ hash });
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
    expect(await publisher().checkDataHashAttestation({ did, dataHash })).toBe(true);
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
    expect(await publisher().checkDataHashAttestation({ did, dataHash })).toBe(false);
  });

  it("attests the hash of the requested major version, by default the latest", async () => {
    const { did, dataHash } = await register();
    const next = hashDocument('{"name":"A second major version"}', 0);
    const hash = await publisher().mint({
      did,
      interfaces: 1,
      dataUrl: `${fixture.host.origin}/second.json`,
      dataHash: next.dataHash,
      dataHashAlgorithm: 0,
      version: { major: 2, minor: 0, patch: 0 },
      traitHashes: [],
      metadataJson: next.canonical,
    });
    await publisher().waitForReceipt({ hash });
    const dataHashOnly = { ...request(did), requiredSchemas: ["data-hash" as const] };
    expect(await process.issuer.verifyAndAttest({ ...dataHashOnly, major: 1 })).toMatchObject({
      status: "attested",
      attestations: [{ subject: dataHash }],
    });
    expect(await process.issuer.verifyAndAttest(dataHashOnly)).toMatchObject({
      status: "attested",
      attestations: [{ subject: next.dataHash }],
    });
    expect(await process.issuer.verifyAndAttest({ ...dataHashOnly, major: 3 })).toMatchObject({
      code: "app-not-found",
    });
  });

  it("attests nothing for a record whose minter and holder no longer control the DID", async () => {
    const { did, dataHash } = await register();
    const hash = await chain.byHand.revokeDid({ did, controller: wallet });
    await chain.byHand.waitForReceipt({ hash });
    const dataHashOnly = { ...request(did), requiredSchemas: ["data-hash" as const] };
    expect(await process.issuer.verifyAndAttest(dataHashOnly)).toMatchObject({
      code: "record-not-controlled",
    });
    expect(await publisher().checkDataHashAttestation({ did, dataHash })).toBe(false);
  });

  it("refuses a hash of the caller", async () => {
    const named = { ...request(fixture.host.did(wallet)), dataHash: `0x${"11".repeat(32)}` };
    await expect(process.issuer.verifyAndAttest(named)).rejects.toMatchObject({ name: "ZodError" });
  });

  it("attests nothing for a DID that is not registered", async () => {
    expect(await verify(fixture.host.did(wallet))).toMatchObject({ status: "failed", code: "app-not-found" });
  });
});
