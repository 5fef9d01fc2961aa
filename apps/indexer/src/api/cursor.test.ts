import { parseSearchQuery } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "./cursor.ts";

const query = parseSearchQuery({ traits: "api:rest", q: "weather", limit: 5 });

describe("a cursor", () => {
  it.each([
    [null, 1n],
    ["é'\"", 2n ** 256n - 1n],
    [0.1 + 0.2, 0n],
  ])("names the place %s, %s exactly, in URL characters", (value, tokenId) => {
    const position = { value, tokenId };
    const cursor = encodeCursor(query, position);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(decodeCursor({ ...query, cursor })).toEqual(position);
  });

  it("may be used with another limit, and with no other search", () => {
    const cursor = encodeCursor(query, { value: 1, tokenId: 1n });
    expect(decodeCursor({ ...query, limit: 100, cursor })).toBeDefined();
    expect(decodeCursor({ ...query, q: "wind", cursor })).toBeUndefined();
    expect(decodeCursor({ ...query, status: "any", cursor })).toBeUndefined();
  });

  it.each([
    "",
    "x",
    "AAAA",
    Buffer.from('["a",1]').toString("base64url"),
    Buffer.from("{}").toString("base64url"),
  ])("is not %j", (cursor) => {
    expect(decodeCursor({ ...query, cursor })).toBeUndefined();
  });
});
