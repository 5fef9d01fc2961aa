import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_JSON_DEPTH,
  metadataSchema,
} from "@app-registry/sdk";

/** Overrides and isolates of the Unicode bidirectional algorithm, and control characters but tab and line breaks. */
const forbidden = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Rounds of leaving out what the schema refuses; each can bring up faults further out. */
const MAX_ROUNDS = 8;

/** The fields of a metadata JSON that readers make; undefined and null ones are left out. */
export type Fields = { [field: string]: unknown };

/**
 * What a stranger said, in a form that every rule of the metadata schema accepts. Long texts are cut, characters that no
 * text may have are taken out, and what is wrong in another way is left out, with the entry of a list that needs it.
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

/** What the schema refuses, except that a field of the document is missing. */
function findSchemaIssues(metadata: JsonObject): SchemaIssue[] {
  const issues = metadataSchema.safeParse(metadata).error?.issues ?? [];
  return issues
    .filter(({ path }) => path.length > 1 || (path[0] !== undefined && Object.hasOwn(metadata, path[0])))
    .map((issue) => ({
      path: issue.path,
      max: issue.code === "too_big" ? Number(issue.maximum) : undefined,
    }));
}

/** The value without the faults below it; undefined if it can't be without one. */
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
  // A field that is missing here is one that the object needs.
  if ([...below.keys()].some((key) => !Object.hasOwn(value, key))) return undefined;
  const entries = Object.entries(value).map(([key, inner]): [string, JsonValue | undefined] => [
    key,
    below.has(key) ? repairValue(inner, below.get(key) ?? []) : inner,
  ]);
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** A text of one line, or a text or list of the length that is allowed; undefined if that doesn't help. */
function truncateValue(value: JsonValue | undefined, faults: readonly SchemaIssue[]): JsonValue | undefined {
  const line = typeof value === "string" ? value.trim().replace(/\s+/g, " ") : "";
  const max = Math.min(...faults.map((fault) => fault.max ?? Number.NaN));
  if (Number.isNaN(max)) return line === "" || line === value ? undefined : line;
  if (Array.isArray(value)) return value.slice(0, max);
  // Half a URL leads elsewhere.
  if (typeof value !== "string" || /^[a-z][a-z0-9+.-]*:\S*$/i.test(value)) return undefined;
  return `${value.slice(0, max - 1).toWellFormed()}…`;
}

/** A value as JSON holds it: no deeper than a document may be, with texts that are Unicode and finite numbers. */
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

const asObject = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** The first text that the schema accepts for a field. */
export function pickFirstValid(
  field: keyof typeof metadataSchema.shape,
  candidates: readonly unknown[],
): JsonValue | undefined {
  return candidates.find(
    (candidate) => candidate != null && metadataSchema.shape[field].safeParse(candidate).success,
  ) as JsonValue | undefined;
}
