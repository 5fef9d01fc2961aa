import type * as z from "zod/mini";
import { isJsonObject } from "../jsonValue.ts";
import type { UncheckedSchema } from "./fieldSchemas.ts";

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
