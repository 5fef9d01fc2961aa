import { isJsonObject, type JsonObject, type JsonValue } from "../jsonValue.ts";

/** Maximum number of lines of a diff, and of characters of a line and of its path. */
const MAX_LINES = 100;
const MAX_LINE = 400;
const MAX_PATH = 200;
/** Number of characters that a long line shows before the first difference. */
const CONTEXT = 40;

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
      const inner = (path === "" ? name : `${path}.${name}`).slice(0, MAX_PATH);
      yield* difference(inner, getOwn(from, name), getOwn(to, name));
    }
    return;
  }
  const [before, after] = [from, to].map(toText);
  if (before === after) return;
  const start = findStart(before, after);
  if (before !== undefined) yield line("-", path, before, start);
  if (after !== undefined) yield line("+", path, after, start);
}

const toText = (value: JsonValue | undefined): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);

/** Returns the place from which to show two texts: their beginning, or a little before what differs if they are long. */
function findStart(before = "", after = ""): number {
  if (Math.min(before.length, after.length) <= MAX_LINE - MAX_PATH) return 0;
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  return Math.max(0, same - CONTEXT);
}

// A document may have a key such as `toString`, which every object inherits.
const getOwn = (value: object, name: string): JsonValue | undefined =>
  Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;

const isInner = (value: JsonValue | undefined): value is JsonObject | JsonValue[] =>
  Array.isArray(value) || isJsonObject(value);

function line(sign: string, path: string, value: string, start: number): string {
  const shown = start === 0 ? value : `…${value.slice(start)}`;
  const text = `${sign} ${path === "" ? "" : `${path}: `}${shown}`.toWellFormed();
  return text.length <= MAX_LINE ? text : `${text.slice(0, MAX_LINE - 1).toWellFormed()}…`;
}
