import { isJsonObject, type JsonObject, type JsonValue } from "../jsonValue.ts";

/** Maximum number of lines of a diff, and of characters of a line. */
const MAX_LINES = 100;
const MAX_LINE = 400;

/**
 * Returns the leaves that differ, each with its path: lines that begin with `-` for the first value and `+` for the
 * second one, at most 100.
 */
export function diffJson(from: JsonValue | undefined, to: JsonValue | undefined): string[] {
  const lines = [...difference("", from, to)];
  const rest = lines.length - MAX_LINES;
  return rest <= 0 ? lines : [...lines.slice(0, MAX_LINES - 1), ` … and ${rest + 1} more lines`];
}

function* difference(
  path: string,
  from: JsonValue | undefined,
  to: JsonValue | undefined,
): Generator<string> {
  if (isInner(from) && isInner(to) && Array.isArray(from) === Array.isArray(to)) {
    for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
      // Cut the path, because every leaf below it repeats it.
      const inner = (path === "" ? name : `${path}.${name}`).slice(0, MAX_LINE);
      yield* difference(inner, getOwn(from, name), getOwn(to, name));
    }
  } else if (JSON.stringify(from) !== JSON.stringify(to)) {
    for (const [sign, value] of [
      ["-", from],
      ["+", to],
    ] as const) {
      if (value !== undefined) yield line(sign, path, value);
    }
  }
}

// A document may have a key such as `toString`, which every object inherits.
const getOwn = (value: object, name: string): JsonValue | undefined =>
  Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;

const isInner = (value: JsonValue | undefined): value is JsonObject | JsonValue[] =>
  Array.isArray(value) || isJsonObject(value);

function line(sign: string, path: string, value: JsonValue): string {
  const text = `${sign} ${path === "" ? "" : `${path}: `}${JSON.stringify(value)}`;
  return text.length <= MAX_LINE ? text : `${text.slice(0, MAX_LINE - 1).toWellFormed()}…`;
}
