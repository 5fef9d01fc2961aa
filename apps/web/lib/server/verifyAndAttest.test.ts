import { verifyAndAttestResponseSchema } from "@app-registry/sdk/issuer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  nowhere,
  type RegistryFixture,
  startRegistry,
  verifyAndAttestRoute,
  wallet,
} from "./test/registryFixture.ts";

let fixture: RegistryFixture;
beforeAll(async () => {
  fixture = await startRegistry(18573);
}, 90_000);
afterAll(() => fixture.stop());

describe("POST /api/verify-and-attest", () => {
  it("attests, and then says that it is attested", async () => {
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

  it("answers a wallet that is not named with the file to publish", async () => {
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
  ])("names the place of a request with %s", async (_, request, code, pointer) => {
    const response = await fixture.post(request);
    expect(response.status).toBe(400);
    const body = await response.json();
    expect(body).toMatchObject({ ok: false, status: "failed", code });
    expect(body.problems.map((problem: { pointer: string }) => problem.pointer)).toContain(pointer);
  });

  it("answers 503 and retryable while the chain is away, never that it is not attested", async () => {
    const away = fixture.registryWith({ RPC_URL: nowhere });
    const did = fixture.host.did(wallet.address);
    const response = await verifyAndAttestRoute(away)({ did, connectedAddress: wallet.address });
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(await response.json()).toMatchObject({ ok: false, code: "chain-unavailable", retryable: true });
  });
});
