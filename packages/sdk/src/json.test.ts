import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../test/vectors/jcs.json" with { type: "json" };
import refused from "../test/vectors/json-refused.json" with { type: "json" };
import { canonicalizeJson, canonicalizeValue, JsonDocumentError, parseJsonStrict } from "./json.ts";

function refusalOf(text: string): JsonDocumentError | undefined {
  try {
    parseJsonStrict(text);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(JsonDocumentError);
    return error as JsonDocumentError;
  }
}

describe("parseJsonStrict", () => {
  it.each(refused.refused)("refuses $name, and says where", ({ text, code, pointer, line, column }) => {
    expect(refusalOf(text)).toMatchObject({ code, pointer, line, column });
  });

  it("keeps keys that mean something to the language", () => {
    const value = parseJsonStrict('{"__proto__":{"isAdmin":true}}');
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect((value as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it("counts lines of every line ending", () => {
    expect(refusalOf('{\n\r\n\r"a":1,\n"a":1}')).toMatchObject({ line: 5, column: 1 });
  });

  it("takes whatever JSON.stringify writes, and returns the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value, null, 2);
        expect(parseJsonStrict(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("throws nothing but its own error, and takes nothing that is not JSON", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"a"',
        '"b"',
        '"\\ud800"',
        "1",
        "-0",
        "1e400",
        "9007199254740993",
      ),
      fc.constantFrom(
        "null",
        "true",
        " ",
        "\n",
        "//",
        "/*",
        "*/",
        '"',
        "\\u",
        "-",
        ".",
        "e5",
        "\ufeff",
        "\u2028",
      ),
      fc.string({ unit: "binary", maxLength: 3 }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
        (text) => {
          if (refusalOf(text) === undefined) expect(parseJsonStrict(text)).toEqual(JSON.parse(text));
        },
      ),
    );
  });
});

/** The double of 64 bits in hexadecimal (IEEE 754). */
const doubleOf = (bits: string) => Buffer.from(bits, "hex").readDoubleBE();

describe("canonicalizeJson", () => {
  it.each(vectors.documents)("writes $name as the RFC does", ({ text, canonical }) => {
    expect(canonicalizeJson(text)).toBe(canonical);
    expect(canonicalizeJson(canonical)).toBe(canonical);
  });

  it("leaves a canonical text as it is", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: "grapheme" }), (value) => {
        const text = JSON.stringify(value);
        if (refusalOf(text) !== undefined) return;
        const canonical = canonicalizeJson(text);
        expect(canonicalizeJson(canonical)).toBe(canonical);
        expect(JSON.parse(canonical)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("writes every double so that it is read back as the same double", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const canonical = canonicalizeValue(number);
        expect(canonicalizeJson(canonical)).toBe(canonical);
        expect(Number(canonical)).toBe(number === 0 ? 0 : number);
      }),
    );
  });
});

describe("canonicalizeValue", () => {
  it.each(vectors.numbers)("writes the double $ieee754 as $canonical", ({ ieee754, canonical }) => {
    expect(canonicalizeValue(doubleOf(ieee754))).toBe(canonical);
    expect(canonicalizeJson(canonical)).toBe(canonical);
  });

  it.each(vectors.notNumbers)("refuses the double %s, which is no number", (ieee754) => {
    expect(() => canonicalizeValue(doubleOf(ieee754))).toThrow(TypeError);
  });

  const cycle: unknown[] = [];
  cycle.push(cycle);
  it.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, "\ud800", () => 1, 1n, { a: ["\udc00"] }, cycle])(
    "refuses a value that JSON can't hold: %s",
    (value) => {
      expect(() => canonicalizeValue(value)).toThrow(TypeError);
    },
  );
});
