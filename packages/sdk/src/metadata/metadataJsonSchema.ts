import * as z from "zod/mini";
import { metadataSchema } from "./metadataSchema.ts";

/**
 * The JSON Schema (draft 2020-12) of the metadata JSON, for editors and other languages. `checkPublishable` also checks
 * what JSON Schema can't express: safe URLs, and what each interface requires.
 *
 * @example
 * metadataJsonSchema().type; // "object"
 */
export function metadataJsonSchema(): Record<string, unknown> {
  return {
    title: "App Registry metadata",
    ...z.toJSONSchema(metadataSchema, { target: "draft-2020-12", io: "input" }),
  };
}
