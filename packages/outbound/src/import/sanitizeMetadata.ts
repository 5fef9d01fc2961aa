import {
  InvalidTraitError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_JSON_DEPTH,
  MAX_TRAITS,
  metadataSchema,
  normalizeTrait,
} from "@app-registry/sdk";
import { asObject } from "./json.ts";

/** Unicode bidirectional overrides and isolates, and control characters except tab and line breaks. */
const forbidden = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Maximum number of repairs. Removing a value can make the value that contains it invalid. */
const MAX_ROUNDS = 8;

/** Metadata fields created by a reader. `undefined` and `null` values are omitted. */
export type Fields = { [field: string]: unknown };

/**
 * Converts untrusted fields to metadata that the schema accepts. Truncates long texts, removes forbidden characters,
 * and drops any other invalid value, together with the list entry that requires it.
 */
export function sanitizeMetadata(fields: Fields): JsonObject {
  let metadata = toPlainJson(fields, MAX_JSON_DEPTH) as JsonObject;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const faults = findSchemaIssues(metadata);
    if (faults.length === 0) return metadata;
    metadata = asObject(repairValue(metadata, faults));
  }
  const wrong = new Set(findSchemaIssues(metadata).map(({ path }) => path[0]));
  return Object.fromEntries(Object.entries(metadata).filter(([field]) => !wrong.has(field)));
}

type SchemaIssue = { path: readonly PropertyKey[]; max: number | undefined };

/** Lists the schema issues of the present fields. Omits missing fields of the document. */
function findSchemaIssues(metadata: JsonObject): SchemaIssue[] {
  const issues = metadataSchema.safeParse(metadata).error?.issues ?? [];
  return issues
    .filter(({ path }) => path.length > 1 || (path[0] !== undefined && Object.hasOwn(metadata, path[0])))
    .map((issue) => ({
      path: issue.path,
      max: issue.code === "too_big" ? Number(issue.maximum) : undefined,
    }));
}

/** Repairs the invalid parts of a value. Returns `undefined` if that is impossible. */
function repairValue(value: JsonValue | undefined, faults: readonly SchemaIssue[]): JsonValue | undefined {
  const own = faults.filter(({ path }) => path.length === 0);
  if (own.length > 0) return truncateValue(value, own);
  const below = new Map<PropertyKey, SchemaIssue[]>();
  for (const { path, max } of faults) {
    const [key, ...rest] = path;
    if (key !== undefined) below.set(key, [...(below.get(key) ?? []), { path: rest, max }]);
  }
  if (Array.isArray(value)) {
    return value
      .map((item, index) => (below.has(index) ? repairValue(item, below.get(index) ?? []) : item))
      .filter((item) => item !== undefined);
  }
  if (!isJsonObject(value)) return undefined;
  // An issue at a missing field means that the object requires the field, so drop the object.
  if ([...below.keys()].some((key) => !Object.hasOwn(value, key))) return undefined;
  const entries = Object.entries(value).map(([key, inner]): [string, JsonValue | undefined] => [
    key,
    below.has(key) ? repairValue(inner, below.get(key) ?? []) : inner,
  ]);
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** Makes a text a single line or cuts a text or list to the allowed length. Returns `undefined` if neither helps. */
function truncateValue(value: JsonValue | undefined, faults: readonly SchemaIssue[]): JsonValue | undefined {
  const line = typeof value === "string" ? value.trim().replace(/\s+/g, " ") : "";
  const max = Math.min(...faults.map((fault) => fault.max ?? Number.NaN));
  if (Number.isNaN(max)) return line === "" || line === value ? undefined : line;
  if (Array.isArray(value)) return value.slice(0, max);
  // Drop long URLs: a truncated URL points to another page.
  if (typeof value !== "string" || /^[a-z][a-z0-9+.-]*:\S*$/i.test(value)) return undefined;
  return `${value.slice(0, max - 1).toWellFormed()}…`;
}

/** Converts a value to plain JSON with limited depth, well-formed Unicode texts and finite numbers. */
function toPlainJson(value: unknown, depth: number): JsonValue | undefined {
  if (typeof value === "string") return value.toWellFormed().replace(forbidden, "");
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null) return value === null ? null : undefined;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    return value.map((item) => toPlainJson(item, depth - 1)).filter((item) => item !== undefined);
  }
  const entries = Object.entries(value).map(([key, inner]) => [
    key.toWellFormed(),
    toPlainJson(inner, depth - 1),
  ]);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined)) as JsonObject;
}

/** Returns the first candidate that the schema accepts for a field, sanitized, or `undefined`. */
export function pickFirstValid(
  field: keyof typeof metadataSchema.shape,
  candidates: readonly unknown[],
): JsonValue | undefined {
  return candidates.find(
    (candidate) => candidate != null && metadataSchema.shape[field].safeParse(candidate).success,
  ) as JsonValue | undefined;
}

/** Lists the traits of an API type and of a source's tags. Omits tags that are not valid traits. */
export function toTraits(first: readonly string[], tags: readonly string[]): string[] {
  const traits = new Set<string>();
  for (const tag of [...first, ...tags]) {
    if (traits.size >= MAX_TRAITS) break;
    try {
      traits.add(normalizeTrait(tag));
    } catch (error) {
      if (!(error instanceof InvalidTraitError)) throw error;
    }
  }
  return [...traits];
}
