import { verifyAndAttestResponseSchema } from "@app-registry/issuer";
import { type SignedAttestation, sendSignedAttestation } from "@app-registry/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attestingServer } from "../test/attestingServer.ts";
import { type RegistryFixture, startRegistry, UNUSED_URL, wallet } from "../test/registryFixture.ts";

let fixture: RegistryFixture;
beforeAll(async () => {
  fixture = await startRegistry();
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

  it.each([
    ["no DID", { did: "example.com", connectedAddress: wallet.address }, "invalid-did", "/did"],
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
});
