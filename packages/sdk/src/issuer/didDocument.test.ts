import { p256 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { base16 } from "multiformats/bases/base16";
import { base58btc } from "multiformats/bases/base58";
import { base64url } from "multiformats/bases/base64";
import { bytesToHex, hexToBytes } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { type DidDocument, didDocumentSchema, documentNamingWallet, findWallet } from "./didDocument.ts";

const did = "did:web:example.com";
const privateKey = generatePrivateKey();
const wallet = privateKeyToAccount(privateKey).address;
const stranger = privateKeyToAccount(generatePrivateKey()).address;
const secret = hexToBytes(privateKey);
const compressed = secp256k1.getPublicKey(secret, true);
const uncompressed = secp256k1.getPublicKey(secret, false);
const multicodec = Uint8Array.from([0xe7, 0x01, ...compressed]);
const jwk = {
  kty: "EC",
  crv: "secp256k1",
  x: base64url.encode(uncompressed.slice(1, 33)).slice(1),
  y: base64url.encode(uncompressed.slice(33)).slice(1),
};

const withMethod = (method: Record<string, unknown>, rest: Record<string, unknown> = {}): DidDocument =>
  didDocumentSchema.parse({ id: did, verificationMethod: [{ id: "#1", ...method }], ...rest });

describe("findWallet", () => {
  it.each([
    ["CAIP-10", { blockchainAccountId: `eip155:1:${wallet}` }],
    ["CAIP-10 in lower case, another chain", { blockchainAccountId: `eip155:66238:${wallet.toLowerCase()}` }],
    ["the older form with the chain behind", { blockchainAccountId: `${wallet}@eip155:1` }],
    ["a compressed key", { publicKeyHex: base16.encode(compressed).slice(1) }],
    ["an uncompressed key with 0x", { publicKeyHex: bytesToHex(uncompressed) }],
    ["bare coordinates", { publicKeyHex: bytesToHex(uncompressed.slice(1)).slice(2) }],
    ["a Multikey in base58btc", { type: "Multikey", publicKeyMultibase: base58btc.encode(multicodec) }],
    ["a Multikey in base64url", { type: "Multikey", publicKeyMultibase: base64url.encode(multicodec) }],
    ["a JSON Web Key", { type: "JsonWebKey2020", publicKeyJwk: jwk }],
    ["a base58 key", { publicKeyBase58: base58btc.encode(compressed).slice(1) }],
  ])("finds the wallet as %s", (_, method) => {
    const property = Object.keys(method).find((key) => key !== "type");
    expect(findWallet(withMethod(method), wallet)).toEqual({ found: true, methodId: "#1", property });
    expect(findWallet(withMethod(method), stranger)).toMatchObject({
      found: false,
      methods: [{ methodId: "#1", reason: `${property} names ${wallet}` }],
    });
  });

  it.each([
    ["another namespace", { blockchainAccountId: `cosmos:hub:${wallet}` }],
    ["an address without chain", { blockchainAccountId: wallet }],
    ["text around the address", { blockchainAccountId: `eip155:1:${wallet}/x` }],
    [
      "an Ed25519 Multikey",
      { publicKeyMultibase: base58btc.encode(Uint8Array.from([0xed, 0x01, ...compressed])) },
    ],
    [
      "a type that names another curve",
      { type: "P256VerificationKey2021", publicKeyHex: bytesToHex(compressed) },
    ],
    ["a P-256 key", { publicKeyHex: bytesToHex(p256.getPublicKey(p256.utils.randomSecretKey(), false)) }],
    ["a JSON Web Key of another curve", { publicKeyJwk: { ...jwk, crv: "P-256" } }],
    ["a JSON Web Key without y", { publicKeyJwk: { ...jwk, y: undefined } }],
    ["a key off the curve", { publicKeyHex: `04${"11".repeat(64)}` }],
    ["a key of the wrong length", { publicKeyHex: bytesToHex(compressed.slice(1)) }],
    ["text that is no hex", { publicKeyHex: "zz" }],
    ["text that is no multibase", { publicKeyMultibase: "?" }],
    ["no key at all", {}],
  ])("takes no wallet from %s, and says why", (_, method) => {
    const result = findWallet(withMethod(method), wallet);
    expect(result).toMatchObject({ found: false, methods: [{ reason: expect.stringMatching(/.{10,}/) }] });
  });

  it("takes only methods that authentication or assertionMethod references, where they exist", () => {
    const method = { id: `${did}#a`, blockchainAccountId: `eip155:1:${wallet}` };
    const parse = (rest: object) =>
      didDocumentSchema.parse({ id: did, verificationMethod: [method], ...rest });
    expect(findWallet(parse({}), wallet).found).toBe(true);
    expect(findWallet(parse({ authentication: ["#a"] }), wallet).found).toBe(true);
    expect(findWallet(parse({ assertionMethod: [`${did}#a`] }), wallet).found).toBe(true);
    expect(findWallet(parse({ authentication: [] }), wallet)).toMatchObject({
      found: false,
      methods: [{ reason: expect.stringContaining("not referenced") }],
    });
    const embedded = didDocumentSchema.parse({ id: did, authentication: [method] });
    expect(findWallet(embedded, wallet).found).toBe(true);
  });
});

describe("documentNamingWallet", () => {
  it("names the wallet in a new document", () => {
    const document = documentNamingWallet(did, wallet, 66238);
    expect(document).toMatchObject({
      id: did,
      verificationMethod: [{ id: `${did}#wallet-1`, blockchainAccountId: `eip155:66238:${wallet}` }],
    });
    expect(findWallet(didDocumentSchema.parse(document), wallet).found).toBe(true);
  });

  it("adds the wallet to a document and keeps the rest", () => {
    const current = didDocumentSchema.parse({
      "@context": "https://www.w3.org/ns/did/v1",
      id: did,
      service: [{ id: "#s" }],
      verificationMethod: [{ id: "#wallet-1", blockchainAccountId: `eip155:1:${stranger}` }],
      authentication: ["#wallet-1"],
    });
    const document = didDocumentSchema.parse(documentNamingWallet(did, wallet, 1, current));
    expect(document).toMatchObject({ service: [{ id: "#s" }], "@context": "https://www.w3.org/ns/did/v1" });
    expect(findWallet(document, wallet)).toMatchObject({ found: true, methodId: `${did}#wallet-2` });
    expect(findWallet(document, stranger).found).toBe(true);
  });
});
