import canonicalize from "canonicalize";
import { type JSONPath, printParseErrorCode, visit } from "jsonc-parser";
import { AppRegistryError, InvalidArgumentError } from "./errors/appRegistryError.ts";

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** JSON object: neither null nor an array. */
export type JsonObject = { [key: string]: JsonValue };

/**
 * Returns true if a value is a JSON object: neither null nor an array.
 *
 * @example
 * isJsonObject([]); // false
 */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject;
export function isJsonObject(value: unknown): value is Record<string, unknown>;
export function isJsonObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the JSON Pointer (RFC 6901) of a path of keys and indexes.
 *
 * @example
 * toJsonPointer(["a/b", 0]); // "/a~1b/0"
 */
export function toJsonPointer(path: readonly PropertyKey[]): string {
  return path.map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/**
 * Returns the keys and indexes of a JSON Pointer (RFC 6901), unescaped. `""` is the whole document.
 *
 * @example
 * parseJsonPointer("/a~1b/0"); // ["a/b", "0"]
 */
export function parseJsonPointer(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * Returns the value at a JSON Pointer (RFC 6901), or `undefined` if the document has none there.
 *
 * @example
 * getAtPointer({ endpoints: [{ name: "REST" }] }, "/endpoints/0/name"); // "REST"
 */
export function getAtPointer(document: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const token of parseJsonPointer(pointer)) {
    if (Array.isArray(value)) value = value[Number(token)];
    else if (isJsonObject(value) && Object.hasOwn(value, token)) value = value[token];
    else return undefined;
  }
  return value;
}

/** Deepest nesting of objects and arrays in a document, in levels. */
export const MAX_JSON_DEPTH = 64;

export type JsonDocumentCode =
  | "not-json"
  | "byte-order-mark"
  | "duplicate-key"
  | "lone-surrogate"
  | "number-not-exact"
  | "number-out-of-range"
  | "too-deep";

/**
 * Thrown when the document cannot be canonicalized (RFC 8785) without changing its meaning. Names the first place;
 * nothing is repaired.
 */
export class JsonDocumentError extends AppRegistryError {
  override readonly name = "JsonDocumentError";
  /** Stable name of the broken rule. */
  readonly code: JsonDocumentCode;
  /** One sentence for the document's author. */
  readonly reason: string;
  /** JSON Pointer (RFC 6901) of the value, or of the innermost value that contains it; empty for the document. */
  readonly pointer: string;
  /** Line, from 1. */
  readonly line: number;
  /** Column in UTF-16 code units, from 1. */
  readonly column: number;

  constructor(code: JsonDocumentCode, reason: string, place: JsonPlace) {
    const pointer = place.pointer && `, ${place.pointer}`;
    super(`${reason} (line ${place.line}, column ${place.column}${pointer})`);
    this.code = code;
    this.reason = reason;
    this.pointer = place.pointer;
    this.line = place.line;
    this.column = place.column;
  }
}

/** Place in a JSON text. */
export interface JsonPlace {
  pointer: string;
  line: number;
  column: number;
}

/**
 * Parses a JSON text (RFC 8259) without ambiguity: no duplicate keys, byte order mark or lone surrogates, no number
 * whose value would change in canonical form, and nesting of at most 64 levels.
 *
 * A number changes if it is beyond 2^53 and has no exact double (9007199254740993), overflows (1e400) or underflows to
 * zero (1e-400). Fractions become the nearest double, as RFC 8785 specifies.
 *
 * @throws {JsonDocumentError} at the first place that breaks a rule.
 * @example
 * parseJsonStrict('{ "a": 1 }'); // { a: 1 }
 */
export function parseJsonStrict(text: string): JsonValue {
  if (typeof text !== "string") throw new InvalidArgumentError("expected the text of a JSON document");
  if (text.startsWith("\ufeff")) {
    const reason = "The document starts with a byte order mark. Save it as UTF-8 without BOM.";
    throw new JsonDocumentError("byte-order-mark", reason, { pointer: "", line: 1, column: 1 });
  }
  checkDocument(text);
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // The visitor reports errors that it recovers from. JSON.parse rejects any that the visitor misses.
    throw new JsonDocumentError("not-json", "The text is not valid JSON.", {
      pointer: "",
      line: 1,
      column: 1,
    });
  }
}

/**
 * Returns the canonical text (JCS, RFC 8785) of a JSON document.
 *
 * @throws {JsonDocumentError} at the first place that breaks a rule of `parseJsonStrict`.
 * @example
 * canonicalizeJson('{ "b": 1.0, "a": [] }'); // '{"a":[],"b":1}'
 */
export function canonicalizeJson(text: string): string {
  return canonicalText(parseJsonStrict(text));
}

/**
 * Returns the canonical text (JCS, RFC 8785) of a value that JSON can represent. Like `JSON.stringify`, it calls
 * `toJSON` and omits members that are undefined.
 *
 * @throws {InvalidArgumentError} with the place, for values that JSON cannot represent: undefined, functions, symbols,
 * bigints, NaN, infinities, lone surrogates, cycles.
 * @example
 * canonicalizeValue({ b: 1, a: [] }); // '{"a":[],"b":1}'
 */
export function canonicalizeValue(value: unknown): string {
  return canonicalText(plainJson(value));
}

/** Returns the canonical text of a JSON value, which always has one. */
const canonicalText = (value: JsonValue): string => canonicalize(value) as string;

/** Converts a value to plain JSON. Throws where JSON would drop or rewrite a part of it. */
function plainJson(value: unknown): JsonValue {
  const pointers = new Map<unknown, string>();
  const text = JSON.stringify(value, function (this: unknown, key: string, inner: unknown) {
    const holder = pointers.get(this);
    const pointer = holder === undefined ? "" : `${holder}${toJsonPointer([key])}`;
    const reason = unfit(inner) ?? (/\p{Surrogate}/u.test(key) ? unfit(key) : undefined);
    // In a cycle, an object is its own descendant, so its earlier pointer is a prefix of the new one.
    const above = pointers.get(inner);
    const isCycle = above !== undefined && (pointer === above || pointer.startsWith(`${above}/`));
    if (reason !== undefined || isCycle) throw notCanonical(pointer, reason ?? "it contains itself");
    if (typeof inner === "object" && inner !== null) pointers.set(inner, pointer);
    return inner;
  });
  if (text === undefined) throw notCanonical("", "JSON can't represent undefined");
  return JSON.parse(text) as JsonValue;
}

function unfit(value: unknown): string | undefined {
  if (typeof value === "string")
    return /\p{Surrogate}/u.test(value) ? "it contains a lone surrogate" : undefined;
  const isDropped = typeof value === "function" || typeof value === "symbol" || typeof value === "bigint";
  if (isDropped) return `JSON can't represent a ${typeof value}`;
  return typeof value === "number" && !Number.isFinite(value) ? `JSON can't represent ${value}` : undefined;
}

const notCanonical = (pointer: string, reason: string): InvalidArgumentError =>
  new InvalidArgumentError(`${pointer || "the value"} has no canonical JSON text, because ${reason}`);

/** Object or array that is being read. Only objects have `keys`. */
interface OpenContainer {
  path: JSONPath;
  keys?: Set<string>;
}

/** Checks a text. Throws at the first place that is not JSON or that parsing would change. */
function checkDocument(text: string): void {
  const open: OpenContainer[] = [];

  const fail = (code: JsonDocumentCode, reason: string, path: JSONPath, line: number, column: number) => {
    throw new JsonDocumentError(code, reason, {
      pointer: toJsonPointer(path),
      line: line + 1,
      column: column + 1,
    });
  };
  const enter = (container: OpenContainer, line: number, column: number) => {
    open.push(container);
    if (open.length > MAX_JSON_DEPTH) {
      const reason = `Objects and arrays can be nested at most ${MAX_JSON_DEPTH} levels deep.`;
      fail("too-deep", reason, container.path, line, column);
    }
  };
  const checkString = (value: string, path: JSONPath, line: number, column: number) => {
    if (!/\p{Surrogate}/u.test(value)) return;
    fail(
      "lone-surrogate",
      "A string contains an incomplete character (a lone surrogate).",
      path,
      line,
      column,
    );
  };

  visit(
    text,
    {
      onObjectBegin: (_offset, _length, line, column, path) =>
        enter({ path: path(), keys: new Set() }, line, column),
      onObjectEnd: () => void open.pop(),
      onArrayBegin: (_offset, _length, line, column, path) => enter({ path: path() }, line, column),
      onArrayEnd: () => void open.pop(),
      onObjectProperty: (key, _offset, _length, line, column, parentPath) => {
        // Point to the object, because no pointer can name a key that is not valid Unicode.
        checkString(key, parentPath(), line, column);
        const path = [...parentPath(), key];
        const keys = open.at(-1)?.keys;
        if (keys?.has(key)) {
          fail(
            "duplicate-key",
            `The key ${JSON.stringify(key)} appears twice in one object.`,
            path,
            line,
            column,
          );
        }
        keys?.add(key);
      },
      onLiteralValue: (value: unknown, offset, length, line, column, path) => {
        if (typeof value === "string") checkString(value, path(), line, column);
        if (typeof value !== "number") return;
        const problem = numberProblem(text.slice(offset, offset + length), value);
        if (problem) fail(problem.code, problem.reason, path(), line, column);
      },
      onError: (error, _offset, _length, line, column) => {
        const name = printParseErrorCode(error);
        fail(
          "not-json",
          syntaxReasons[name] ?? "The text is not valid JSON.",
          open.at(-1)?.path ?? [],
          line,
          column,
        );
      },
    },
    { disallowComments: true },
  );
}

const syntaxReasons: Partial<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: "This is not a JSON value.",
  InvalidNumberFormat: "This is not a JSON number.",
  PropertyNameExpected: "A property name in double quotes is expected here.",
  ValueExpected: "A value is expected here.",
  ColonExpected: 'A ":" is expected here.',
  CommaExpected: 'A "," is expected here.',
  CloseBraceExpected: 'A "}" is expected here.',
  CloseBracketExpected: 'A "]" is expected here.',
  EndOfFileExpected: "The document should end here.",
  InvalidCommentToken: "JSON has no comments.",
  UnexpectedEndOfString: "This string is not closed.",
  UnexpectedEndOfNumber: "This number is incomplete.",
  InvalidUnicode: "\\u must be followed by four hexadecimal digits.",
  InvalidEscapeCharacter: "This is not a valid JSON escape sequence.",
  InvalidCharacter: "A control character in a string must be escaped.",
};

/**
 * Returns the reason why the double nearest to a number literal differs from the literal. Returns `undefined` if it
 * does not.
 */
function numberProblem(
  literal: string,
  value: number,
): { code: JsonDocumentCode; reason: string } | undefined {
  if (!Number.isFinite(value)) {
    return { code: "number-out-of-range", reason: `The number ${shorten(literal)} is too large.` };
  }
  if (value === 0 && /[1-9]/.test(literal.split(/e/i)[0] ?? "")) {
    return { code: "number-out-of-range", reason: `The number ${shorten(literal)} is too close to zero.` };
  }
  if (Math.abs(value) < 2 ** 53 || normalizeDecimal(literal) === normalizeDecimal(String(value)))
    return undefined;
  const reason = `The number ${shorten(literal)} is beyond 2^53 and would be rounded. Write it as a string.`;
  return { code: "number-not-exact", reason };
}

/** Returns a spelling that two decimal literals share if and only if they denote the same number. */
function normalizeDecimal(literal: string): string {
  const [mantissa = "", exponent = "0"] = literal.toLowerCase().split("e");
  const [integer = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = `${integer}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/(?<!0)0+$/, "");
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${mantissa.startsWith("-") ? "-" : ""}${significant}e${power}`;
}

function shorten(literal: string): string {
  return literal.length > 40 ? `${literal.slice(0, 40)}…` : literal;
}
