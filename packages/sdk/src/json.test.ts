import { createHash } from "node:crypto";
import { nearly, unlessRefused } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { es6NumberChecksums, es6Numbers, formatIeee754 } from "../test/es6Numbers.ts";
import hashVectors from "../test/vectors/data-hash.json" with { type: "json" };
import vectors from "../test/vectors/jcs.json" with { type: "json" };
import refused from "../test/vectors/json-refused.json" with { type: "json" };
import { InvalidArgumentError } from "./index.ts";
import {
  canonicalizeJson,
  canonicalizeValue,
  getAtPointer,
  JsonDocumentError,
  parseJsonPointer,
  parseJsonStrict,
  toJsonPointer,
} from "./json.ts";

function getRefusal(text: string): JsonDocumentError | undefined {
  try {
    parseJsonStrict(text);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(JsonDocumentError);
    return error as JsonDocumentError;
  }
}

describe("parseJsonStrict", () => {
  // @threat documents: JSON that parsers disagree about, or that loses members
  it.each(refused.refused)("rejects $name, with its place", ({ text, code, pointer, line, column }) => {
    expect(getRefusal(text)).toMatchObject({ code, pointer, line, column });
  });

  it("keeps keys such as __proto__ as data", () => {
    const value = parseJsonStrict('{"__proto__":{"isAdmin":true}}');
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect((value as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it("counts lines with every kind of line ending", () => {
    expect(getRefusal('{\n\r\n\r"a":1,\n"a":1}')).toMatchObject({ line: 5, column: 1 });
  });

  it("compares a number with a million zeros in linear time", () => {
    const zeros = "0".repeat(1_000_000);
    expect(getRefusal(`9007199254740992.${zeros}1`)).toMatchObject({ code: "number-not-exact" });
    expect(getRefusal(`9007199254740992.${zeros}`)).toBeUndefined();
  });

  it("accepts every text of JSON.stringify, and returns the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value, null, 2);
        expect(parseJsonStrict(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

/** Returns the double of 64 bits in hexadecimal (IEEE 754). */
const toDouble = (bits: string) => Buffer.from(bits, "hex").readDoubleBE();

describe("canonicalizeJson", () => {
  it.each(vectors.documents)("writes $name as in RFC 8785", ({ text, canonical }) => {
    expect(canonicalizeJson(text)).toBe(canonical);
    expect(canonicalizeJson(canonical)).toBe(canonical);
  });

  it("throws only JsonDocumentError, and returns its own result unchanged", () => {
    const texts = [...vectors.documents, ...hashVectors.documents, ...refused.refused].map(
      ({ text }) => text,
    );
    const pieces = [
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "\\",
      "\\ud83d",
      "0",
      "-",
      ".",
      "e9",
      "\ufeff",
      "\u0080",
      "//",
    ];
    fc.assert(
      fc.property(
        nearly(fc.constantFrom(...texts.filter(({ length }) => length < 1_000)), pieces),
        (text) => {
          const canonical = unlessRefused(() => canonicalizeJson(text), JsonDocumentError);
          if (canonical === undefined) return;
          expect(canonicalizeJson(canonical)).toBe(canonical);
          expect(JSON.parse(canonical)).toEqual(JSON.parse(text, (_, value) => (value === 0 ? 0 : value)));
        },
      ),
    );
  });

  it("accepts an integer only if its canonical form has the same digits", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.nat(6), (integer, zeros) => {
        const literal = String(integer * 10n ** BigInt(zeros));
        const canonical = unlessRefused(() => canonicalizeJson(literal), JsonDocumentError);
        const [mantissa = "", exponent = "0"] = String(Number(literal)).split("e");
        const [digits = "", fraction = ""] = mantissa.split(".");
        const written = BigInt(digits + fraction.padEnd(Number(exponent), "0"));
        expect(canonical !== undefined).toBe(written === BigInt(literal));
      }),
    );
  });
});

describe("canonicalizeValue", () => {
  it.each([
    [{ tools: [{ "a/b": Number.NaN }] }, "/tools/0/a~1b has", "NaN"],
    [{ a: 1n }, "/a has", "a bigint"],
    [{ a: ["\ud800"] }, "/a/0 has", "a lone surrogate"],
    [undefined, "the value has", "undefined"],
  ])("names the place of a value that JSON can't represent: %#", (value, place, reason) => {
    expect(() => canonicalizeValue(value)).toThrow(place);
    expect(() => canonicalizeValue(value)).toThrow(reason);
  });

  it("writes a value that occurs in several places", () => {
    const shared = { b: 1 };
    expect(canonicalizeValue({ x: shared, y: [shared, shared] })).toBe('{"x":{"b":1},"y":[{"b":1},{"b":1}]}');
  });

  it("converts values like JSON.stringify", () => {
    const value = { b: new Date(0), a: undefined, 10: new String("x"), 9: [undefined, new Number(1)], c: -0 };
    expect(canonicalizeValue(value)).toBe('{"10":"x","9":[null,1],"b":"1970-01-01T00:00:00.000Z","c":0}');
  });

  it.each(vectors.numbers)("writes the double $ieee754 as $canonical", ({ ieee754, canonical }) => {
    expect(canonicalizeValue(toDouble(ieee754))).toBe(canonical);
    expect(canonicalizeJson(canonical)).toBe(canonical);
  });

  it.each(vectors.notNumbers)("rejects the double %s, which is not a finite number", (ieee754) => {
    expect(() => canonicalizeValue(toDouble(ieee754))).toThrow(InvalidArgumentError);
  });

  const cycle: unknown[] = [];
  cycle.push(cycle);
  it.each([
    ...[undefined, Number.NaN, Number.POSITIVE_INFINITY, "\ud800", () => 1, 1n, { a: ["\udc00"] }, cycle],
    ...[{ a: () => 1 }, [() => 1], { a: Symbol("a") }, { a: [Number.NaN] }, { "\ud800": 1 }],
  ])("rejects a value that JSON can't represent: %s", (value) => {
    expect(() => canonicalizeValue(value)).toThrow(InvalidArgumentError);
  });
});

describe("JSON pointers", () => {
  it("escape and unescape slashes and tildes", () => {
    expect(toJsonPointer(["a/b", 0, "m~n"])).toBe("/a~1b/0/m~0n");
    expect(parseJsonPointer("/a~1b/0/m~0n")).toEqual(["a/b", "0", "m~n"]);
    expect(parseJsonPointer("")).toEqual([]);
  });

  it("do not read inherited properties", () => {
    expect(getAtPointer({}, "/constructor")).toBeUndefined();
    expect(getAtPointer({ a: [{ b: 1 }] }, "/a/0/b")).toBe(1);
  });
});

/** Number of vectors: a million in long runs. */
const lines = process.env.TEST_LONG ? 1_000_000 : 10_000;

describe(`the first ${lines.toLocaleString("en")} number vectors of RFC 8785`, () => {
  it("match the output of canonicalizeValue, which canonicalizeJson returns unchanged", () => {
    const hash = createHash("sha256");
    const checksums: Record<number, string> = {};
    let line = 0;
    for (const number of es6Numbers()) {
      const text = canonicalizeValue(number);
      if (canonicalizeJson(text) !== text) expect.fail(`${text} becomes ${canonicalizeJson(text)}`);
      hash.update(`${formatIeee754(number)},${text}\n`);
      line++;
      if (es6NumberChecksums.has(line)) checksums[line] = hash.copy().digest("hex");
      if (line === lines) break;
    }
    const published = [...es6NumberChecksums].filter(([count]) => count <= lines);
    expect(checksums).toEqual(Object.fromEntries(published));
  });
});
