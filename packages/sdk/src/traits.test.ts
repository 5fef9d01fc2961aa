import { codePoint, nearly, unlessRefused } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../test/vectors/traits.json" with { type: "json" };
import { apiTypes, InvalidTraitError, normalizeTrait, traitHash } from "./traits.ts";

describe("normalizeTrait and traitHash", () => {
  it.each(vectors.traits)("accept $trait unchanged", ({ trait, traitHash: expected }) => {
    expect(normalizeTrait(trait)).toBe(trait);
    expect(traitHash(trait)).toBe(expected);
  });

  it.each(vectors.normalized)("normalize $input", ({ input, trait, traitHash: expected }) => {
    expect(normalizeTrait(input)).toBe(trait);
    expect(traitHash(input)).toBe(expected);
  });

  it.each(vectors.refused)("reject %j", (input) => {
    expect(() => normalizeTrait(input)).toThrow(InvalidTraitError);
    expect(() => traitHash(input)).toThrow(InvalidTraitError);
  });

  const known = fc.constantFrom(
    ...vectors.traits.map(({ trait }) => trait),
    ...vectors.normalized.map(({ input }) => input),
    ...vectors.refused,
  );
  const text = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.stringMatching(/^ ?[A-Za-z0-9:._-]{1,70}$/),
    // Letters whose lower-case form has another length or is ASCII.
    nearly(known, ["İ", "K", "ﬀ", "\u00a0", "\ufeff", ":", "A"]),
  );

  it("throw only InvalidTraitError, and return a normalized trait unchanged", () => {
    fc.assert(
      fc.property(text, (input) => {
        const trait = unlessRefused(() => normalizeTrait(input), InvalidTraitError);
        if (trait === undefined) return;
        expect(trait).toMatch(/^[a-z0-9][a-z0-9:._-]{0,63}$/);
        expect(normalizeTrait(trait)).toBe(trait);
        expect(traitHash(input)).toBe(traitHash(trait));
      }),
    );
  });
});

describe("apiTypes", () => {
  it("are normalized traits without duplicates", () => {
    const traits = apiTypes.map(({ trait }) => trait);
    expect(traits.map(normalizeTrait)).toEqual(traits);
    expect(new Set(traits).size).toBe(traits.length);
  });
});
