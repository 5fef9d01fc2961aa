import { verifyAndAttestFailureSchema, verifyAndAttestResponseSchema } from "@app-registry/issuer";
import { createAppRegistryClient, type SignedAttestation, sendSignedAttestation } from "@app-registry/sdk";
import { callAsOwner } from "@app-registry/test-kit/callAsOwner";
import { testAccount, testClients } from "@app-registry/test-kit/deployContracts";
import { createTestClient, http, parseEther, toHex } from "viem";
import { hardhat } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attestingServer } from "./test/attestingServer.ts";
import { type RegistryFixture, startRegistry, UNUSED_URL, wallet } from "./test/registryFixture.ts";

let fixture: RegistryFixture;
beforeAll(async () => {
  fixture = await startRegistry(18573);
});
afterAll(() => fixture.stop());

describe("POST /api/verify-and-attest", () => {
  it("attests, and then reports the existing attestation", async () => {
    const did = fixture.host.did(wallet.address);
    const first = await fixture.post({ did, connectedAddress: wallet.address });
    expect(first.status).toBe(200);
    const body = await first.json();
    expect(verifyAndAttestResponseSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({ ok: true, status: "attested", txHashes: [body.attestations[0].txHash] });
    const second = await fixture.post({
      did,
      connectedAddress: wallet.address,
      requiredSchemas: ["did-ownership"],
    });
    expect(await second.json()).toMatchObject({ ok: true, status: "already-attested", txHashes: [] });
  });

  it("returns the file to publish for a wallet that is not listed", async () => {
    const response = await fixture.post({ did: fixture.host.did(), connectedAddress: wallet.address });
    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({
      ok: false,
      status: "failed",
      code: "wallet-not-in-did-document",
      attestations: [],
      txHashes: [],
      publish: { document: expect.stringContaining(wallet.address) },
    });
  });

  it.each([
    ["no DID", { did: "example.com", connectedAddress: wallet.address }, "invalid-did", "/did"],
    [
      "no address",
      { did: "did:web:a.example", connectedAddress: "0x1" },
      "invalid-request",
      "/connectedAddress",
    ],
    [
      "no schema",
      { did: "did:web:a.example", connectedAddress: wallet.address, requiredSchemas: [] },
      "invalid-request",
      "/requiredSchemas",
    ],
    [
      "a schema twice",
      {
        did: "did:web:a.example",
        connectedAddress: wallet.address,
        requiredSchemas: ["did-ownership", "did-ownership"],
      },
      "invalid-request",
      "/requiredSchemas",
    ],
    [
      "a thousand schemas",
      {
        did: "did:web:a.example",
        connectedAddress: wallet.address,
        requiredSchemas: Array(1_000).fill("data-hash"),
      },
      "invalid-request",
      "/requiredSchemas",
    ],
    [
      "another field",
      { did: "did:web:a.example", connectedAddress: wallet.address, dataHash: "0x" },
      "invalid-request",
      "",
    ],
    // @threat services: A body or list that is empty, endless, trickles or breaks off
  ])("reports the location of a request with %s", async (_, request, code, pointer) => {
    const response = await fixture.post(request);
    expect(response.status).toBe(400);
    const body = await response.json();
    expect(body).toMatchObject({ ok: false, status: "failed", code });
    expect(body.problems.map((problem: { pointer: string }) => problem.pointer)).toContain(pointer);
  });

  // @threat services: A host or an RPC endpoint that is down or slow
  it("returns a retryable 503 while the chain is unavailable, never a missing attestation", async () => {
    const away = fixture.registryWith({ RPC_URL: UNUSED_URL });
    const did = fixture.host.did(wallet.address);
    const response = await attestingServer(away).post({ did, connectedAddress: wallet.address });
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(await response.json()).toMatchObject({ ok: false, code: "chain-unavailable", retryable: true });
  });

  it("returns a retryable 503 while the issuer is out of funds, before any attempt", async () => {
    const { rpcUrl, host } = fixture;
    const { address } = await fixture.issuer();
    const chain = createTestClient({ chain: hardhat, mode: "hardhat", transport: http(rpcUrl) });
    const did = host.did(wallet.address);
    const asked = host.requests().length;
    await chain.setBalance({ address, value: 1n });
    const response = await fixture.post({ did, connectedAddress: wallet.address });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      ok: false,
      status: "failed",
      code: "issuer-out-of-funds",
      retryable: true,
      txHashes: [],
    });
    expect(host.requests()).toHaveLength(asked);
    await chain.setBalance({ address, value: parseEther("100") });
    expect((await fixture.post({ did, connectedAddress: wallet.address })).status).toBe(200);
  });
});

describe("POST /api/verify-and-attest for an issuer that", () => {
  it("revoked the wallet recently, returns 422 with the time at which it can attest it again", async () => {
    const did = fixture.host.did(wallet.address);
    const request = { did, connectedAddress: wallet.address };
    await fixture.post(request);
    const { deployment } = fixture.registry;
    const issuing = createAppRegistryClient({ deployment, ...testClients(fixture.rpcUrl, testAccount(19)) });
    const hash = await issuing.revokeDid({ did, controller: wallet.address });
    const { blockNumber } = await issuing.waitForReceipt({ hash });
    const { timestamp } = await fixture.registry.publicClient.getBlock({ blockNumber });
    const response = await fixture.post(request);
    expect(response.status).toBe(422);
    const body = await response.json();
    expect(body).toMatchObject({
      status: "failed",
      code: "recently-revoked",
      attestableFrom: Number(timestamp) + 3_600,
      retryable: false,
    });
    expect(verifyAndAttestFailureSchema.parse(body)).toMatchObject({ attestableFrom: body.attestableFrom });
  });

  it("was retired while it runs, returns 503 with the reason, and still reports existing attestations", async () => {
    const { rpcUrl, registry, variables } = fixture;
    const successor = testAccount(18);
    await callAsOwner(rpcUrl, registry.deployment, { functionName: "addIssuer", args: [successor.address] });
    const key = toHex(successor.getHdKey().privateKey ?? new Uint8Array());
    const { post } = attestingServer(fixture.registryWith({ ...variables, ISSUER_PRIVATE_KEY: key }));
    const did = fixture.host.did(wallet.address);
    expect((await post({ did, connectedAddress: wallet.address })).status).toBe(200);
    await callAsOwner(rpcUrl, registry.deployment, {
      functionName: "retireIssuer",
      args: [successor.address],
    });
    const refused = await post({ did: fixture.host.did(wallet.address), connectedAddress: wallet.address });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({
      code: "issuer-not-authorised",
      detail: expect.stringMatching(/has been retired .* can revoke, but no longer attest/),
      retryable: false,
    });
    const known = await post({ did, connectedAddress: wallet.address });
    expect(await known.json()).toMatchObject({ ok: true, status: "already-attested" });
  });
});

describe("POST /api/verify-and-attest with ISSUER_MODE=sign", () => {
  const sign = () => attestingServer(fixture.registryWith({ ISSUER_MODE: "sign" }));
  const read = async (response: Response) => {
    const body: unknown = await response.json();
    const answer = verifyAndAttestResponseSchema.parse(body);
    expect(answer).toEqual(body);
    return answer;
  };
  const carry = async (signed: SignedAttestation) => {
    const hash = await sendSignedAttestation(fixture.publisher, signed);
    await fixture.publisher.waitForReceipt({ hash });
  };

  it("returns the issuer's signature for the publisher to submit, at no cost for the issuer", async () => {
    const { post, issuer } = sign();
    const { address } = await issuer();
    const { publicClient } = fixture.registry;
    const spent = () => publicClient.getBalance({ address });
    const before = await spent();
    const request = { did: fixture.host.did(wallet.address), connectedAddress: wallet.address };
    const first = await read(await post(request));
    expect(first).toMatchObject({ ok: false, status: "signed", attestations: [], txHashes: [] });
    const again = await read(await post(request));
    if (first.status !== "signed" || again.status !== "signed") throw new Error("not signed");
    for (const { signatures } of [first, again]) await Promise.all(signatures.map(carry));
    expect(await read(await post(request))).toMatchObject({ ok: true, status: "already-attested" });
    expect(await spent()).toBe(before);
  });

  it("signs the hash of a record", async () => {
    const { post } = sign();
    const { did, dataHash } = await fixture.register();
    const request = {
      did,
      connectedAddress: wallet.address,
      requiredSchemas: ["did-ownership", "data-hash"],
    };
    const answer = await read(await post(request));
    if (answer.status !== "signed") throw new Error(answer.status);
    expect(answer.attestations).toMatchObject([{ schema: "did-ownership" }]);
    expect(answer.signatures).toMatchObject([{ schema: "data-hash", dataHash }]);
    await Promise.all(answer.signatures.map(carry));
    expect(await read(await post(request))).toMatchObject({ ok: true, status: "already-attested" });
  });

  it("signs nothing for a wallet that is not listed", async () => {
    const response = await sign().post({ did: fixture.host.did(), connectedAddress: wallet.address });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "wallet-not-in-did-document" });
  });

  it("reports a waiting period once the signature is submitted", async () => {
    const { post } = sign();
    const newcomer = testAccount(2).address;
    const did = fixture.host.did(wallet.address, newcomer);
    await fixture.post({ did, connectedAddress: wallet.address });
    const answer = await read(await post({ did, connectedAddress: newcomer }));
    if (answer.status !== "signed") throw new Error(answer.status);
    await Promise.all(answer.signatures.map(carry));
    expect(await read(await post({ did, connectedAddress: newcomer }))).toMatchObject({ status: "waiting" });
  });
});
