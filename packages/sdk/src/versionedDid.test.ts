import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../test/vectors/versioned-did.json" with { type: "json" };
import { InvalidDidError } from "./did.ts";
import { InvalidVersionError } from "./version.ts";
import { formatVersionedDid, parseVersionedDid } from "./versionedDid.ts";

describe("parseVersionedDid", () => {
  it.each(vectors.parsed)("reads $text", ({ text, ...expected }) => {
    expect(parseVersionedDid(text)).toEqual(expected);
  });

  it.each(vectors.refused)("refuses %j", (text) => {
    expect(() => parseVersionedDid(text)).toThrow(/^Invalid (DID|version): /);
  });

  it("throws nothing but its own errors, for any text", () => {
    const piece = fc.oneof(
      fc.constantFrom("did:web:a.b", "/v/", "1", ".", "0", "%3A", "/"),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        try {
          parseVersionedDid(pieces.join(""));
        } catch (error) {
          expect(error instanceof InvalidDidError || error instanceof InvalidVersionError).toBe(true);
        }
      }),
    );
  });
});

describe("formatVersionedDid", () => {
  it("writes the canonical DID and the full version", () => {
    const version = { major: 1, minor: 20, patch: 3 };
    const text = formatVersionedDid({ did: "did:web:Example.com", version });
    expect(text).toBe("did:web:example.com/v/1.20.3");
    expect(parseVersionedDid(text)).toEqual({ did: "did:web:example.com", ...version });
  });
});
