import { nearly, unlessRefused } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../test/vectors/version-order.json" with { type: "json" };
import didVectors from "../test/vectors/versioned-did.json" with { type: "json" };
import { InvalidDidError } from "./did.ts";
import {
  compareVersions,
  formatVersion,
  InvalidVersionError,
  parseVersion,
  parseVersionedDid,
} from "./version.ts";

describe("parseVersion", () => {
  it.each(vectors.ascending)("parses %s, which formatVersion writes unchanged", (text) => {
    expect(formatVersion(parseVersion(text))).toBe(text);
  });

  it.each(vectors.refused)("rejects %j", (text) => {
    expect(() => parseVersion(text)).toThrow(InvalidVersionError);
  });

  const known = fc.constantFrom(...vectors.ascending, ...vectors.refused);
  const text = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[0-9.]{0,12}$/),
    nearly(known, [".", "0", "256", "٣", "-"]),
  );

  it("throws only InvalidVersionError, and accepts one spelling of a version only", () => {
    fc.assert(
      fc.property(text, (input) => {
        const version = unlessRefused(() => parseVersion(input), InvalidVersionError);
        if (version !== undefined) expect(formatVersion(version)).toBe(input);
      }),
    );
  });
});

describe("compareVersions", () => {
  it("orders by major, minor, patch, as numbers", () => {
    const versions = vectors.ascending.map(parseVersion);
    versions.forEach((a, i) => {
      versions.forEach((b, j) => {
        expect(compareVersions(a, b)).toBe(Math.sign(i - j));
      });
    });
  });

  it.each(vectors.pairs)("compares $a with $b", ({ a, b, order }) => {
    expect(compareVersions(parseVersion(a), parseVersion(b))).toBe(order);
  });
});

describe("parseVersionedDid", () => {
  it.each(didVectors.parsed)("parses $text", ({ text, ...expected }) => {
    expect(parseVersionedDid(text)).toEqual(expected);
  });

  it.each(didVectors.refused)("rejects %j", (text) => {
    expect(() => parseVersionedDid(text)).toThrow(/^Invalid (DID|version): /);
  });

  const pieces = ["did:web:a.b", "/v/", "/", ".", "0", "255", "256", "%3A", "%2F"];
  const known = fc.constantFrom(...didVectors.parsed.map(({ text }) => text), ...didVectors.refused);

  it("throws only its own errors, and parses the formatted result to the same value", () => {
    fc.assert(
      fc.property(nearly(known, pieces), (text) => {
        const parsed = unlessRefused(() => parseVersionedDid(text), InvalidDidError, InvalidVersionError);
        if (parsed === undefined) return;
        const { did, major, minor, patch } = parsed;
        const version = [major, minor, ...(patch === undefined ? [] : [patch])].join(".");
        expect(parseVersionedDid(`${did}/v/${version}`)).toEqual(parsed);
      }),
    );
  });
});
