import * as z from "zod/mini";
import { isJsonObject, toJsonPointer } from "../jsonValue.ts";
import { metadataSchema } from "./metadataSchema.ts";
import type { Problem } from "./problem.ts";
import { visitFields } from "./visitFields.ts";

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
