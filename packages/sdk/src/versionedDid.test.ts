import { nearly, unlessRefused } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../test/vectors/versioned-did.json" with { type: "json" };
import { InvalidDidError } from "./did.ts";
import { InvalidVersionError } from "./version.ts";
import { formatVersionedDid, parseVersionedDid } from "./versionedDid.ts";

describe("parseVersionedDid", () => {
  it.each(vectors.parsed)("parses $text", ({ text, ...expected }) => {
    expect(parseVersionedDid(text)).toEqual(expected);
  });

  it.each(vectors.refused)("rejects %j", (text) => {
    expect(() => parseVersionedDid(text)).toThrow(/^Invalid (DID|version): /);
  });

  const pieces = ["did:web:a.b", "/v/", "/", ".", "0", "255", "256", "%3A", "%2F"];
  const known = fc.constantFrom(...vectors.parsed.map(({ text }) => text), ...vectors.refused);

  it("throws only its own errors, and parses the formatted result to the same value", () => {
    fc.assert(
      fc.property(nearly(known, pieces), (text) => {
        const parsed = unlessRefused(() => parseVersionedDid(text), InvalidDidError, InvalidVersionError);
        if (parsed === undefined) return;
        const { did, major, minor, patch } = parsed;
        const version = [major, minor, ...(patch === undefined ? [] : [patch])].join(".");
        expect(parseVersionedDid(`${did}/v/${version}`)).toEqual(parsed);
        if (patch === undefined) return;
        const written = formatVersionedDid({ did, version: { major, minor, patch } });
        expect(parseVersionedDid(written)).toEqual(parsed);
        expect(written.toLowerCase()).toBe(`${did}/v/${version}`.toLowerCase());
      }),
    );
  });
});

describe("formatVersionedDid", () => {
  it("returns the canonical DID and the full version", () => {
    const version = { major: 1, minor: 20, patch: 3 };
    const text = formatVersionedDid({ did: "did:web:Example.com", version });
    expect(text).toBe("did:web:example.com/v/1.20.3");
    expect(parseVersionedDid(text)).toEqual({ did: "did:web:example.com", ...version });
  });
});
