import { createGuardedFetch } from "@app-registry/outbound";
import { testAccount } from "@app-registry/test-kit/deployContracts";
import { createDidDocument, type DidHost, startDidHost } from "@app-registry/test-kit/didHost";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IssuerContext } from "../attest/issuerContext.ts";
import { checkAttestation } from "./checkAttestation.ts";
import type { CheckableAttestation } from "./revalidationStore.ts";

const wallet = testAccount(1).address;
const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 10_000 });
/** Parts of an issuer that the check of a did:web needs. */
const context = {
  deployment: { chainId: 31_337 },
  chainClient: () => undefined,
  now: () => Date.parse("2040-01-01T00:00:00Z"),
  ...{ guardedFetch, allowLoopback: true },
} as unknown as IssuerContext;

let host: DidHost;
beforeAll(async () => {
  host = await startDidHost();
});
afterAll(async () => {
  await host.close();
  await guardedFetch.close();
});

type Answer = Parameters<DidHost["put"]>[2] & { body?: string };

/** Document with the wallet in one method, with additional terms of the method and the document. */
function declare(did: string, method: object, document: object = {}): Answer {
  const named = { id: "#0", blockchainAccountId: `eip155:31337:${wallet}`, ...method };
  return { body: JSON.stringify({ id: did, verificationMethod: [named], ...document }) };
}

const page = "<h1>Back soon</h1>";

describe("the check of a controller", () => {
  // @threat services: A domain or contract that changed hands
  it.each<[what: string, outcome: string, code: string, (did: string) => Answer]>([
    ["is missing", "fails", "did-document-missing", () => ({ status: 404 })],
    ["is gone", "fails", "did-document-missing", () => ({ status: 410 })],
    ["is another DID's", "fails", "did-document-id-mismatch", () => ({ body: '{"id":"did:web:a.example"}' })],
    ["is no DID document", "fails", "did-document-invalid", () => ({ body: "{}" })],
    ["is deactivated", "fails", "did-document-deactivated", (did) => declare(did, {}, { deactivated: true })],
    [
      "names another wallet",
      "fails",
      "wallet-not-in-did-document",
      (did) => ({ body: JSON.stringify(createDidDocument(did, [testAccount(2).address])) }),
    ],
    [
      "revoked the key",
      "fails",
      "wallet-not-in-did-document",
      (did) => declare(did, { revoked: "2020-01-01T00:00:00Z" }),
    ],
    [
      "let the key expire, by the issuer's clock",
      "fails",
      "wallet-not-in-did-document",
      (did) => declare(did, { expires: "2039-12-31T00:00:00Z" }),
    ],
    [
      "gives the key another use",
      "fails",
      "wallet-not-in-did-document",
      (did) => declare(did, {}, { keyAgreement: ["#0"] }),
    ],
    ["has an error of its host", "no-answer", "did-document-unreachable", () => ({ status: 500 })],
    ["is asked too often", "no-answer", "did-document-unreachable", () => ({ status: 429 })],
    ["is closed to this server", "no-answer", "did-document-unreachable", () => ({ status: 403 })],
    [
      "is replaced by a page",
      "no-answer",
      "did-document-unreachable",
      () => ({ type: "text/html", body: page }),
    ],
  ])("whose DID document %s: %s, %s", async (_, outcome, code, answer) => {
    const did = host.did(wallet);
    const attestation = { schema: "did-ownership", did, subject: wallet } as CheckableAttestation;
    expect(await checkAttestation(context, attestation, 0n)).toEqual({ outcome: "holds" });
    const { body = "", ...options } = answer(did);
    host.put(`/${did.split(":").at(-1)}/did.json`, body, options);
    expect(await checkAttestation(context, attestation, 0n)).toMatchObject({ outcome, code });
  });

  it("is not answered for a contract of a chain without a configured RPC", async () => {
    const did = "did:pkh:eip155:10:0x00000000000000000000000000000000000000aa";
    const attestation = { schema: "did-ownership", did, subject: wallet } as CheckableAttestation;
    const verdict = await checkAttestation(context, attestation, 0n);
    expect(verdict).toMatchObject({ outcome: "no-answer", code: "chain-not-configured" });
  });
});
