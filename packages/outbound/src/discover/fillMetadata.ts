import {
  CONTRACT_ENDPOINT_NAME,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_TRAITS,
  toJsonPointer,
} from "@app-registry/sdk";

/** Value of a proposal that differs from one that a person entered, which is unchanged. */
type Difference = { pointer: string; found: JsonValue };

/**
 * Merges a proposal into a metadata JSON without overwriting what a person entered.
 *
 * Writes a value if none exists (or a blank one: `""`, `[]`, `{}`) or if the present value still equals that of the
 * previous proposal. Leaves any other value unchanged and lists it if it differs. Matches endpoints by name and
 * platforms by key, and adds traits one by one, except those that a person removed.
 *
 * @param read The previous proposal.
 * @example
 * fillMetadata({ name: "Mine" }, { name: "Everything", image: "https://example.com/icon.png" }).metadata;
 * // { name: "Mine", image: "https://example.com/icon.png" }
 */
export function fillMetadata(
  present: JsonObject,
  proposal: JsonObject,
  read: JsonObject = {},
): { metadata: JsonObject; different: Difference[] } {
  const different: Difference[] = [];
  return { metadata: mergeFields(present, proposal, read, [], different), different };
}

/**
 * Removes the values of a previous proposal that a person did not change, so that nothing of one service remains when
 * another one is filled in. An endpoint of which a person changed a value also keeps its name.
 *
 * @example
 * removeProposal({ name: "Mine", publisher: "Example Ltd" }, { name: "Everything", publisher: "Example Ltd" });
 * // { name: "Mine" }
 */
export const removeProposal = (present: JsonObject, read: JsonObject): JsonObject =>
  (subtract(present, read, 0) ?? {}) as JsonObject;

/** Depth of the values that are kept or removed as a whole, such as the tools of an endpoint. */
const WHOLE_DEPTH = 3;

function subtract(present: JsonValue, read: JsonValue | undefined, depth: number): JsonValue | undefined {
  if (isEqualJson(present, read)) return undefined;
  if (Array.isArray(present) && Array.isArray(read) && depth < WHOLE_DEPTH) {
    const rest = present.flatMap((item) => {
      const name = getName(item);
      const isFormer = (other: JsonValue) =>
        isEqualJson(other, item) || (name !== undefined && getName(other) === name);
      const kept = subtract(item, read.find(isFormer), depth + 1);
      if (kept === undefined) return [];
      return [isJsonObject(kept) && name !== undefined ? { name, ...kept } : kept];
    });
    return rest.length > 0 ? rest : undefined;
  }
  if (!isJsonObject(present) || !isJsonObject(read) || depth === WHOLE_DEPTH) return present;
  const rest = Object.entries(present).flatMap(([key, value]) => {
    const kept = subtract(value, getOwnProperty(read, key), depth + 1);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return rest.length > 0 ? Object.fromEntries(rest) : undefined;
}

type Path = (string | number)[];

/** Merges one field. Endpoints, platforms and traits are merged by part; any other value is replaced as a whole. */
function mergeField(
  path: Path,
  present: JsonValue | undefined,
  found: JsonValue,
  read: JsonValue | undefined,
  different: Difference[],
): JsonValue {
  const [top] = path;
  if (path.length === 1 && Array.isArray(found) && Array.isArray(present)) {
    const before = Array.isArray(read) ? read : [];
    if (top === "traits") {
      const added = found.filter((trait) => !present.includes(trait) && !before.includes(trait));
      return [...present, ...added.slice(0, Math.max(0, MAX_TRAITS - present.length))];
    }
    if (top === "endpoints") return mergeEndpoints(present, found, before, different);
  }
  const isPlatforms = top === "platforms" && path.length <= 2;
  if (isPlatforms && isJsonObject(found) && isJsonObject(present))
    return mergeFields(present, found, isJsonObject(read) ? read : {}, path, different);
  if (present === undefined || isBlank(present) || isEqualJson(present, read)) return found;
  if (!isEqualJson(present, found)) different.push({ pointer: toJsonPointer(path), found });
  return present;
}

function mergeFields(
  present: JsonObject,
  found: JsonObject,
  read: JsonObject,
  path: Path,
  different: Difference[],
): JsonObject {
  const merged = Object.entries(found).map(([key, value]) => [
    key,
    mergeField([...path, key], getOwnProperty(present, key), value, getOwnProperty(read, key), different),
  ]);
  // Don't assign: an assignment to a field named __proto__ would set the prototype.
  return Object.fromEntries([...Object.entries(present), ...merged]);
}

const getOwnProperty = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

function isBlank(value: JsonValue): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length === 0 : value === "";
}

/** Merges each entry into the one with its name, else into one that has only a name so far, else appends it. */
function mergeEndpoints(
  present: JsonValue[],
  found: JsonValue[],
  read: JsonValue[],
  different: Difference[],
): JsonValue[] {
  const entries = [...present];
  const taken = new Set<number>();
  const isFree = (entry: JsonValue, index: number) => isJsonObject(entry) && !taken.has(index);
  for (const entry of found) {
    const name = getName(entry);
    const named = entries.findIndex((other, place) => isFree(other, place) && getName(other) === name);
    const place = named >= 0 ? named : entries.findIndex((other, at) => isFree(other, at) && isUnused(other));
    const index = place >= 0 ? place : entries.length;
    taken.add(index);
    const target = named >= 0 ? entries[index] : undefined;
    const before = read.find((other) => getName(other) === name);
    entries[index] =
      isJsonObject(entry) && (target === undefined || isJsonObject(target))
        ? mergeFields(
            target ?? {},
            entry,
            isJsonObject(before) ? before : {},
            ["endpoints", index],
            different,
          )
        : entry;
  }
  return entries;
}

const getName = (entry: JsonValue): JsonValue | undefined => (isJsonObject(entry) ? entry.name : undefined);

const isUnused = (entry: JsonValue): boolean =>
  isJsonObject(entry) &&
  entry.name !== CONTRACT_ENDPOINT_NAME &&
  Object.entries(entry).every(([key, value]) => key === "name" || isBlank(value));

/** Returns true if two JSON values are equal, regardless of the order of object members. */
export function isEqualJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [one, other] = [Object.entries(a), new Map(Object.entries(b))];
  return (
    one.length === other.size &&
    one.every(([key, value]) => other.has(key) && isEqualJson(value, other.get(key)))
  );
}
