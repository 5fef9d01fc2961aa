import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { base58btc } from "multiformats/bases/base58";
import { bytesToHex, getAddress, isAddressEqual } from "viem";
import { publicKeyToAddress } from "viem/utils";
import { describe, expect, it } from "vitest";
import { nearly, nearlyJson } from "../../test/arbitraries.ts";
import vectors from "../../test/vectors/did-document.json" with { type: "json" };
import { type DidDocument, didDocumentSchema, documentNamingWallet, findWallet } from "./didDocument.ts";

const { did, chainId } = vectors;
const wallet = getAddress(vectors.wallet);
const stranger = getAddress("0x00000000000000000000000000000000000bbbbb");

const withMethod = (method: object): DidDocument =>
  didDocumentSchema.parse({ id: did, verificationMethod: [method] });

describe("findWallet", () => {
  it.each(vectors.methods)("finds the wallet by $name", ({ method, property, elsewhere }) => {
    const document = withMethod(method);
    expect(findWallet(document, wallet, chainId)).toMatchObject({
      found: true,
      methodId: "#1",
      property,
      elsewhere,
    });
    expect(findWallet(document, stranger, chainId)).toMatchObject({
      found: false,
      methods: [{ methodId: "#1", reason: expect.stringContaining(`${property} names ${wallet}`) }],
    });
  });

  it.each(vectors.refused)("takes no wallet from $name, and says why", ({ method, reason }) => {
    const methods = [{ methodId: "#1", reason }];
    expect(findWallet(withMethod(method), wallet, chainId)).toEqual({ found: false, methods });
  });

  it.each(vectors.documents)("knows which methods count, with $name", ({ document, namesWallet }) => {
    expect(findWallet(didDocumentSchema.parse(document), wallet, chainId).found).toBe(namesWallet);
  });

  it("says of a method that nothing references that this is so", () => {
    const account = { id: "#a", blockchainAccountId: `eip155:1:${wallet}` };
    const document = didDocumentSchema.parse({ id: did, verificationMethod: [account], authentication: [] });
    expect(findWallet(document, wallet, chainId)).toMatchObject({
      methods: [{ reason: "is not referenced by authentication or assertionMethod" }],
    });
  });

  it("prefers a key, or an account of the registry's chain, to an account elsewhere", () => {
    const [here, elsewhere] = [`eip155:1:${wallet}`, `eip155:10:${wallet}`].map(
      (blockchainAccountId, index) => ({
        id: `#${index}`,
        blockchainAccountId,
      }),
    );
    const document = didDocumentSchema.parse({ id: did, verificationMethod: [elsewhere, here] });
    expect(findWallet(document, wallet, 1)).toMatchObject({ methodId: "#0", elsewhere: false });
    expect(findWallet(document, wallet, 10)).toMatchObject({ methodId: "#1", elsewhere: false });
    expect(findWallet(document, wallet, 5)).toMatchObject({ methodId: "#1", elsewhere: true });
  });

  it("shows no mark of a stranger's document that changes how an answer reads", () => {
    const result = findWallet(
      withMethod({ id: "\u202e#1\n", type: "RSA\u202e", publicKeyHex: "00" }),
      wallet,
      1,
    );
    expect(JSON.stringify(result)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe("findWallet, for any document", () => {
  const strange = fc.oneof(
    nearly(fc.constantFrom(...texts(vectors)), ["0x", "z", "u", "f", ":", "@", "#", "0", "eip155:1:", "1"]),
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const methods = [...vectors.methods, ...vectors.refused].map(({ method }) => ({
    id: did,
    verificationMethod: [method],
  }));
  const documents = [...methods, ...vectors.documents.map(({ document }) => document)];
  const document = fc.constantFrom(...documents).chain((given) => nearlyJson(given, strange));

  it("throws for none, and the document that it proposes names the wallet and keeps what was there", () => {
    fc.assert(
      fc.property(document, (given) => {
        const parsed = didDocumentSchema.safeParse(given);
        if (!parsed.success) return;
        const current = { ...parsed.data, id: did };
        for (const account of [wallet, stranger]) {
          const before = findWallet(current, account, chainId);
          const proposed = didDocumentSchema.parse(documentNamingWallet(did, account, chainId, current));
          expect(findWallet(proposed, account, chainId)).toMatchObject({ found: true, elsewhere: false });
          expect(proposed.verificationMethod).toEqual(
            expect.arrayContaining(current.verificationMethod ?? []),
          );
          const { verificationMethod: _methods, authentication: _authentication, ...rest } = current;
          expect(proposed).toMatchObject(rest);
          if (!before.found) expect(before.methods.every(({ reason }) => reason.length > 0)).toBe(true);
        }
      }),
    );
  });

  it("names the account of every key, in every form, and of no other key", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(4), (secret, form) => {
        if (!secp256k1.utils.isValidSecretKey(secret)) return;
        const [compressed, uncompressed] = [true, false].map((short) =>
          secp256k1.getPublicKey(secret, short),
        );
        if (!compressed || !uncompressed) return;
        const forms = [
          { publicKeyHex: bytesToHex(compressed) },
          { publicKeyHex: bytesToHex(uncompressed).slice(2) },
          { publicKeyBase58: base58btc.encode(compressed).slice(1) },
          { publicKeyMultibase: base58btc.encode(Uint8Array.from([0xe7, 0x01, ...compressed])) },
          { publicKeyHex: bytesToHex(uncompressed.slice(1)) },
        ];
        const account = publicKeyToAddress(bytesToHex(uncompressed));
        const named = withMethod({ id: "#1", ...forms[form] });
        expect(findWallet(named, account, chainId).found).toBe(true);
        expect(findWallet(named, wallet, chainId).found).toBe(isAddressEqual(account, wallet));
      }),
    );
  });
});

/** Every text in a JSON value. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(texts) : [];
}

describe("documentNamingWallet", () => {
  it("names the wallet in a new document", () => {
    const document = documentNamingWallet(did, wallet, 66238);
    expect(document).toMatchObject({
      id: did,
      verificationMethod: [{ id: `${did}#wallet-1`, blockchainAccountId: `eip155:66238:${wallet}` }],
    });
    expect(findWallet(didDocumentSchema.parse(document), wallet, 66238)).toMatchObject({ elsewhere: false });
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
    expect(findWallet(document, wallet, 1)).toMatchObject({ found: true, methodId: `${did}#wallet-2` });
    expect(findWallet(document, stranger, 1).found).toBe(true);
  });
});
