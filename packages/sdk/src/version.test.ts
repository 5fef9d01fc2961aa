import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../test/vectors/version-order.json" with { type: "json" };
import { compareVersions, formatVersion, InvalidVersionError, parseVersion } from "./version.ts";

describe("parseVersion", () => {
  it.each(vectors.ascending)("reads %s and writes it again", (text) => {
    expect(formatVersion(parseVersion(text))).toBe(text);
  });

  it.each(vectors.refused)("refuses %j", (text) => {
    expect(() => parseVersion(text)).toThrow(InvalidVersionError);
  });

  it("throws nothing but its own error, for any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9.]{0,12}$/)), (text) => {
        try {
          expect(formatVersion(parseVersion(text))).toBe(text);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidVersionError);
        }
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
