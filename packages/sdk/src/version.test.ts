import { nearly, unlessRefused } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../test/vectors/version-order.json" with { type: "json" };
import { compareVersions, formatVersion, InvalidVersionError, parseVersion } from "./version.ts";

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
