import { codePoint, nearly, nearlyJson } from "@app-registry/test-kit/arbitraries";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { base58btc } from "multiformats/bases/base58";
import { bytesToHex, getAddress, isAddressEqual } from "viem";
import { publicKeyToAddress } from "viem/utils";
import { describe, expect, it } from "vitest";
import vectors from "../../../sdk/test/vectors/did-document.json" with { type: "json" };
import terms from "../../../sdk/test/vectors/did-document-terms.json" with { type: "json" };
import {
  addWalletToDocument,
  type DidDocument,
  didDocumentSchema,
  findWallet,
  isDeactivated,
} from "./didDocument.ts";

const { did, chainId } = vectors;
const now = Date.parse(terms.now);
const wallet = getAddress(vectors.wallet);
const stranger = getAddress("0x00000000000000000000000000000000000bbbbb");

const withMethod = (method: object): DidDocument =>
  didDocumentSchema.parse({ id: did, verificationMethod: [method] });

describe("findWallet", () => {
  it.each(vectors.methods)("finds the wallet in $name", ({ method, property, elsewhere }) => {
    const document = withMethod(method);
    expect(findWallet(document, wallet, chainId, now)).toMatchObject({
      found: true,
      methodId: "#1",
      property,
      elsewhere,
    });
    expect(findWallet(document, stranger, chainId, now)).toMatchObject({
      found: false,
      methods: [{ methodId: "#1", reason: expect.stringContaining(`${property} is ${wallet}`) }],
    });
  });

  // @threat services: A did.json of another DID or host, or a key that it marks as unusable
  it.each(vectors.refused)("rejects $name and returns the reason", ({ method, reason }) => {
    const methods = [{ methodId: "#1", named: expect.any(Boolean), reason }];
    expect(findWallet(withMethod(method), wallet, chainId, now)).toEqual({ found: false, methods });
  });

  it.each(vectors.documents)("accepts only permitted methods, with $name", ({ document, namesWallet }) => {
    expect(findWallet(didDocumentSchema.parse(document), wallet, chainId, now).found).toBe(namesWallet);
  });

  it("prefers a key or an account of the registry's chain to an account of another chain", () => {
    const [here, elsewhere] = [`eip155:1:${wallet}`, `eip155:10:${wallet}`].map(
      (blockchainAccountId, index) => ({
        id: `#${index}`,
        blockchainAccountId,
      }),
    );
    const document = didDocumentSchema.parse({ id: did, verificationMethod: [elsewhere, here] });
    expect(findWallet(document, wallet, 1, now)).toMatchObject({ methodId: "#0", elsewhere: false });
    expect(findWallet(document, wallet, 10, now)).toMatchObject({ methodId: "#1", elsewhere: false });
    expect(findWallet(document, wallet, 5, now)).toMatchObject({ methodId: "#1", elsewhere: true });
  });

  // @threat services: Links, markup, icons, invisible characters or check marks in a publisher's texts
  it("escapes bidirectional characters of an untrusted document", () => {
    const result = findWallet(
      withMethod({ id: "\u202e#1\n", type: "RSA\u202e", publicKeyHex: "00" }),
      wallet,
      1,
      now,
    );
    expect(JSON.stringify(result)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe("findWallet, with random documents", () => {
  const strange = fc.oneof(
    nearly(fc.constantFrom(...texts(vectors), ...texts(terms)), [
      "0x",
      "z",
      "u",
      "f",
      ":",
      "@",
      "#",
      "0",
      "eip155:1:",
      "1",
    ]),
    fc.string({ unit: codePoint, maxLength: 300 }),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const methods = [...vectors.methods, ...vectors.refused].map(({ method }) => ({
    id: did,
    verificationMethod: [method],
  }));
  const documents = [
    ...methods,
    ...[vectors.documents, ...terms.terms.map(({ cases }) => cases)].flat().map((one) => one.document),
  ];
  const document = fc.constantFrom(...documents).chain((given) => nearlyJson(given, strange));

  it("never throws, and the proposed document contains the wallet and all previous content", () => {
    fc.assert(
      fc.property(document, (given) => {
        const parsed = didDocumentSchema.safeParse(given);
        if (!parsed.success) return;
        const current = { ...parsed.data, id: did };
        for (const account of [wallet, stranger]) {
          const before = findWallet(current, account, chainId, now);
          const proposed = didDocumentSchema.parse(addWalletToDocument(did, account, chainId, current));
          expect(findWallet(proposed, account, chainId, now)).toMatchObject({
            found: true,
            elsewhere: false,
          });
          expect(proposed.verificationMethod).toEqual(
            expect.arrayContaining(current.verificationMethod ?? []),
          );
          expect(isDeactivated(proposed)).toBe(false);
          const { verificationMethod: _methods, authentication: _authentication, ...rest } = current;
          const { deactivated: _deactivated, didDocumentMetadata: _metadata, ...kept }: DidDocument = rest;
          expect(proposed).toMatchObject(kept);
          if (!before.found) expect(before.methods.every(({ reason }) => reason.length > 0)).toBe(true);
        }
      }),
    );
  });

  // @threat services: A did.json of another DID or host, or a key that it marks as unusable
  it("never accepts a revoked or expired method", () => {
    const notATime = fc.oneof(
      fc.string(),
      fc.jsonValue({ maxDepth: 1 }).filter((value) => typeof value !== "string"),
      nearly(fc.constant("2099-01-01T00:00:00Z"), ["-", "T", "Z", "+", ":", " "]).filter(
        (text) => !/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,}(Z|[+-][0-9:]{5})$/.test(text),
      ),
    );
    const past = fc
      .date({ min: new Date(0), max: new Date(now), noInvalidDate: true })
      .map((date) => date.toISOString());
    const when = fc.oneof(past, notATime);
    const death = fc.oneof(
      fc.record({ revoked: when }),
      fc.record({ expires: when }),
      fc.record({ deactivated: fc.constantFrom(true, null, "false", 0) }),
      fc.record({
        controller: fc.constantFrom("did:web:example.com:a", `${did}#1`, "", null, [did], { id: did }),
      }),
      fc.record({
        id: fc.constantFrom("did:web:other.example#1", "did:web:example.com:a#1", did, "1", "#", ""),
      }),
      fc.record({ secretKeyMultibase: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(document, death, (given, deadly) => {
        const parsed = didDocumentSchema.safeParse(given);
        if (!parsed.success) return;
        const kill = (entry: unknown) => (typeof entry === "object" ? { ...entry, ...deadly } : entry);
        const killed = Object.entries(parsed.data).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.map(kill) : value,
        ]);
        const current = didDocumentSchema.parse({ ...Object.fromEntries(killed), id: did });
        expect(findWallet(current, wallet, chainId, now).found).toBe(false);
      }),
    );
  });

  // @threat services: A did.json of another DID or host, or a key that it marks as unusable
  it("accepts the wallet up to the exact millisecond of revoked and expires, in any time zone", () => {
    const term = fc.constantFrom("revoked", "expires");
    const hour = 3_600_000;
    const distance = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -1e12, max: 1e12 }));
    fc.assert(
      fc.property(term, distance, fc.integer({ min: -13, max: 13 }), (name, milliseconds, zone) => {
        const local = new Date(now + milliseconds + zone * hour).toISOString().slice(0, -1);
        const offset = `${zone < 0 ? "-" : "+"}${String(Math.abs(zone)).padStart(2, "0")}:00`;
        const method = { id: "#1", blockchainAccountId: `eip155:1:${wallet}`, [name]: `${local}${offset}` };
        expect(findWallet(withMethod(method), wallet, chainId, now).found).toBe(milliseconds > 0);
      }),
    );
  });

  it("returns the account of a key in every format", () => {
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
        expect(findWallet(named, account, chainId, now).found).toBe(true);
        expect(findWallet(named, wallet, chainId, now).found).toBe(isAddressEqual(account, wallet));
      }),
    );
  });
});

/** Lists all strings in a JSON value. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(texts) : [];
}

describe("addWalletToDocument", () => {
  it("accepts a document with 100 methods in any place, but not with more", () => {
    const method = { id: "#1", blockchainAccountId: `eip155:1:${wallet}` };
    const methods = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `#a${index}` }));
    const document = (count: number) => ({
      id: did,
      authentication: [method, ...methods(60)],
      keyAgreement: methods(count),
    });
    expect(didDocumentSchema.safeParse(document(39)).success).toBe(true);
    expect(didDocumentSchema.safeParse(document(40)).error?.issues).toMatchObject([
      { message: "has more than 100 verification methods" },
    ]);
  });

  it.each(["verificationMethod", "authentication", "keyAgreement"])(
    "creates a new document if the %s of the old one is full",
    (name) => {
      const entries = Array.from({ length: 100 }, (_, index) => ({ id: `#${index}` }));
      const current = didDocumentSchema.parse({ id: did, [name]: entries });
      const document = didDocumentSchema.parse(addWalletToDocument(did, wallet, chainId, current));
      expect(findWallet(document, wallet, chainId, now).found).toBe(true);
    },
  );

  it("uses an id that does not occur in the document", () => {
    const current = didDocumentSchema.parse({
      id: did,
      keyAgreement: ["#wallet-1"],
      service: [{ id: `${did}#wallet-2` }],
    });
    const document = addWalletToDocument(did, wallet, chainId, current);
    expect(document).toMatchObject({ verificationMethod: [{ id: `${did}#wallet-3` }] });
  });
});
