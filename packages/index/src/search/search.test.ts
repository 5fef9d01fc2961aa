import { parseSearchQuery } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { InterpretedQuery } from "./interpretQuery.ts";
import { decodeCursor, encodeCursor, InvalidCursorError, tokenIdSchema } from "./search.ts";

const query = parseSearchQuery({ traits: "api:rest", q: "weather", limit: 5 });
const placeSchema = z.tuple([z.union([z.string(), z.number(), z.null()]), tokenIdSchema]);
const understood = { words: ["weather"], least: 1, rarest: [], corrected: [] };
const createCursor = (place: unknown) => encodeCursor(query, { place, understood });

describe("decodeCursor", () => {
  it.each([
    [null, "1"],
    ["é'\"", String(2n ** 256n - 1n)],
    [0.1 + 0.2, "0"],
  ])("returns the exact position %s, %s from URL-safe characters", (...place) => {
    const cursor = createCursor(place);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(decodeCursor({ ...query, cursor }, placeSchema)).toEqual({ place, understood });
  });

  it("accepts the cursor with another limit and with facets, and rejects it for another search", () => {
    const cursor = createCursor([1, "1"]);
    expect(decodeCursor({ ...query, limit: 100, facets: true, cursor }, placeSchema)).toEqual({
      place: [1, "1"],
      understood,
    });
    for (const other of [{ q: "wind" }, { status: "any" as const }, { updatedSince: 1 }]) {
      expect(() => decodeCursor({ ...query, ...other, cursor }, placeSchema)).toThrow(InvalidCursorError);
    }
  });

  it.each([
    "",
    "x",
    "AAAA",
    Buffer.from('["a",1]').toString("base64url"),
    Buffer.from("{}").toString("base64url"),
    createCursor([1, "-1"]),
    createCursor(null),
    encodeCursor(query, { place: [1, "1"], understood: undefined }),
    encodeCursor(query, { place: [1, "1"], understood: { ...understood, words: ["'"] } }),
    encodeCursor(query, { place: [1, "1"], understood: { ...understood, words: ["weather", "other"] } }),
    encodeCursor(query, { place: [1, "1"], understood: { ...understood, rarest: ["other"] } }),
  ])("rejects %j", (cursor) => {
    expect(() => decodeCursor({ ...query, cursor }, placeSchema)).toThrow(InvalidCursorError);
  });

  it("accepts only interpretations that the search itself may try", () => {
    const twelve = Array.from({ length: 12 }, (_, index) => `word${index}`);
    const accepts = (forged: Partial<InterpretedQuery>, q = twelve.join(" ")) => {
      const search = { ...query, q };
      const interpretation = { words: twelve, least: 12, rarest: [], corrected: [], ...forged };
      const cursor = encodeCursor(search, { place: [1, "1"], understood: interpretation });
      try {
        return decodeCursor({ ...search, cursor }, placeSchema) !== undefined;
      } catch {
        return false;
      }
    };
    expect(accepts({})).toBe(true);
    expect(accepts({ least: 11, rarest: ["word3"] })).toBe(true);
    expect(accepts({ words: [], least: 1 })).toBe(true);
    // 924 combinations of words.
    expect(accepts({ least: 6 })).toBe(false);
    expect(accepts({ words: ["word1", "word1"], least: 2 })).toBe(false);
    const misspelled = { words: ["weather"], least: 1, corrected: [{ from: "waether", to: "weather" }] };
    expect(accepts(misspelled, "waether")).toBe(true);
    expect(accepts(misspelled, "wind")).toBe(false);
    expect(
      accepts({ ...misspelled, words: ["x"], corrected: [{ from: "waether", to: "x" }] }, "waether"),
    ).toBe(false);
  });
});
