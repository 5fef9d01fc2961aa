import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** Maximum number of lines of a diff, and of characters of a line and of its path. */
const MAX_LINES = 100;
const MAX_LINE = 400;
const MAX_PATH = 200;
/** Number of characters that a long line shows before the first difference. */
const CONTEXT = 40;

/**
 * Returns the leaves that differ, each with its path: lines that begin with `-` for the first value and `+` for the
 * second one. Stops after the lines that it shows, so a long list costs no more than a short one.
 *
 * @param most Maximum number of lines. Default 100.
 */
export function diffJson(
  from: JsonValue | undefined,
  to: JsonValue | undefined,
  most: number = MAX_LINES,
): string[] {
  const lines: string[] = [];
  addDifferences(lines, most, "", from, to);
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), " … and more lines"];
}

/** Adds the lines of two values that differ, until there are more than `most`. */
function addDifferences(
  lines: string[],
  most: number,
  path: string,
  from: JsonValue | undefined,
  to: JsonValue | undefined,
): void {
  if (isInner(from) && isInner(to) && Array.isArray(from) === Array.isArray(to)) {
    for (const name of listNames(from, to)) {
      const [before, after] = [getOwn(from, name), getOwn(to, name)];
      if (before === after) continue;
      // Cut the path, because every leaf below it repeats it.
      const inner = (path === "" ? String(name) : `${path}.${name}`).slice(0, MAX_PATH);
      addDifferences(lines, most, inner, before, after);
      if (lines.length > most) return;
    }
    return;
  }
  const [before, after] = [from, to].map(toText);
  if (before === after) return;
  const start = findStart(before, after);
  if (before !== undefined) lines.push(line("-", path, before, start));
  if (after !== undefined) lines.push(line("+", path, after, start));
}

/** Yields the names or indexes of two objects or two arrays. */
function* listNames(
  from: JsonObject | JsonValue[],
  to: JsonObject | JsonValue[],
): Generator<string | number> {
  if (Array.isArray(from) && Array.isArray(to)) {
    for (let index = 0; index < from.length || index < to.length; index += 1) yield index;
    return;
  }
  yield* Object.keys(from);
  for (const name of Object.keys(to)) if (!Object.hasOwn(from, name)) yield name;
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
const getOwn = (value: object, name: string | number): JsonValue | undefined =>
  Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;

const isInner = (value: JsonValue | undefined): value is JsonObject | JsonValue[] =>
  Array.isArray(value) || isJsonObject(value);

function line(sign: string, path: string, value: string, start: number): string {
  const shown = start === 0 ? value : `…${value.slice(start)}`;
  const text = `${sign} ${path === "" ? "" : `${path}: `}${shown}`.toWellFormed();
  return text.length <= MAX_LINE ? text : `${text.slice(0, MAX_LINE - 1).toWellFormed()}…`;
}
