import { describe, expect, it } from "vitest";
import vectors from "../test/vectors/data-hash.json" with { type: "json" };
import { dataHash, HashAlgorithm, hashAlgorithmName, hashDocument, isHashAlgorithm } from "./hash.ts";
import { JsonDocumentError } from "./json.ts";

describe("hashDocument", () => {
  it.each(vectors.documents)(
    "hashes the canonical text of $name",
    ({ text, canonical, keccak256, sha256 }) => {
      expect(hashDocument(text, HashAlgorithm.keccak256)).toEqual({ canonical, dataHash: keccak256 });
      expect(hashDocument(text, HashAlgorithm.sha256)).toEqual({ canonical, dataHash: sha256 });
    },
  );

  it("returns the same hash for a document and its canonical text", () => {
    for (const { text, canonical } of vectors.documents) {
      expect(hashDocument(canonical, 0)).toEqual(hashDocument(text, 0));
    }
  });

  it("rejects a document that canonicalization would change", () => {
    expect(() => hashDocument('{"a":1,"a":2}', 0)).toThrow(JsonDocumentError);
  });
});

describe("dataHash", () => {
  it("rejects a lone surrogate instead of hashing a replacement character", () => {
    expect(() => dataHash('"\ud800"', 0)).toThrow(RangeError);
  });

  it.each([-1, 2, 77, 255, 0.5, Number.NaN])("rejects algorithm %s", (algorithm) => {
    expect(isHashAlgorithm(algorithm)).toBe(false);
    expect(() => dataHash("{}", algorithm as HashAlgorithm)).toThrow(RangeError);
  });

  it("has the algorithms keccak256 and sha256", () => {
    expect([hashAlgorithmName(0), hashAlgorithmName(1)]).toEqual(["keccak256", "sha256"]);
  });
});
