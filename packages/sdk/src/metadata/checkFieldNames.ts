import * as z from "zod/mini";
import { isJsonObject, toJsonPointer } from "../json.ts";
import type { Problem } from "./checkPublishable.ts";
import type { UncheckedSchema } from "./fieldDescription.ts";
import { metadataSchema } from "./metadataSchema.ts";

/** Value of a document with the schema of its place. */
type FieldVisit = { schema: z.core.$ZodType; value: unknown; path: readonly PropertyKey[] };

/**
 * Yields a value and every value in it that the schema names, in the schema's order. A value of an unexpected type has
 * no values in it, so documents that were not validated can be visited too.
 *
 * @param into Also visits the values of unchecked fields.
 */
export function* visitFields({ schema, value, path }: FieldVisit, into?: "unchecked"): Generator<FieldVisit> {
  yield { schema, value, path };
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const visit = (inner: z.core.$ZodType, key?: PropertyKey) =>
    key === undefined
      ? visitFields({ schema: inner, value, path }, into)
      : visitFields(
          { schema: inner, value: (value as Record<PropertyKey, unknown>)[key], path: [...path, key] },
          into,
        );
  if (def.type === "optional") yield* visit(def.innerType);
  if (def.type === "unknown" && into && "usual" in schema) yield* visit((schema as UncheckedSchema).usual);
  if (def.type === "array" && Array.isArray(value))
    for (const key of value.keys()) yield* visit(def.element, key);
  if (!isJsonObject(value)) return;
  if (def.type === "record") for (const key of Object.keys(value)) yield* visit(def.valueType, key);
  if (def.type !== "object") return;
  for (const [key, inner] of Object.entries(def.shape))
    if (Object.hasOwn(value, key)) yield* visit(inner, key);
  if (def.catchall)
    for (const key of Object.keys(value)) if (!Object.hasOwn(def.shape, key)) yield* visit(def.catchall, key);
}

/** Field that is probably misspelled. It does not prevent publishing. */
export interface FieldWarning extends Problem {
  code: "unknown-field";
  /** Known name that was probably meant. */
  suggestion: string;
}

/**
 * Lists the fields of a metadata JSON whose names are unknown but close to a known name at their place: with other
 * capitals or separators, or one or two letters different. Unknown fields are allowed, so these are only warnings.
 *
 * Never throws, and does not change the document.
 *
 * @param metadata The parsed JSON document.
 * @example
 * checkFieldNames({ desciption: "Maps" }).map(({ pointer, suggestion }) => [pointer, suggestion]);
 * // [["/desciption", "description"]]
 */
export function checkFieldNames(metadata: unknown): FieldWarning[] {
  return [...visitFields({ schema: metadataSchema, value: metadata, path: [] })].flatMap(
    ({ schema, value, path }) => {
      if (!(schema instanceof z.ZodMiniObject) || !isJsonObject(value)) return [];
      const names = Object.keys(schema.shape);
      // A name in use is no misspelling of another one.
      const open = names.filter((name) => !Object.hasOwn(value, name));
      const unknown = Object.keys(value).filter((key) => !names.includes(key));
      return unknown.flatMap((key): FieldWarning[] => {
        const suggestion = closest(key, open);
        if (suggestion === undefined) return [];
        const message = `"${key}" is not a known field. Did you mean "${suggestion}"?`;
        return [{ pointer: toJsonPointer([...path, key]), code: "unknown-field", message, suggestion }];
      });
    },
  );
}

const normalizeFieldName = (name: string) => name.toLowerCase().replace(/[\s._-]/g, "");

function closest(key: string, names: readonly string[]): string | undefined {
  const written = normalizeFieldName(key);
  // A short name is close to many words, so allow only one different letter.
  const isWithin = (edits: number) => (name: string) =>
    isWithinEditDistance(written, normalizeFieldName(name), name.length < 6 ? Math.min(edits, 1) : edits);
  return names.find(isWithin(0)) ?? names.find(isWithin(1)) ?? names.find(isWithin(2));
}

/**
 * Returns true if one text becomes the other by at most `edits` insertions, deletions, substitutions and swaps of
 * neighboring characters.
 */
function isWithinEditDistance(one: string, other: string, edits: number): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  if (a === b || edits === 0) return a === b;
  const left = edits - 1;
  return (
    isWithinEditDistance(a.slice(1), b.slice(1), left) ||
    isWithinEditDistance(a.slice(1), b, left) ||
    isWithinEditDistance(a, b.slice(1), left) ||
    (a[0] === b[1] && a[1] === b[0] && isWithinEditDistance(a.slice(2), b.slice(2), left))
  );
}
