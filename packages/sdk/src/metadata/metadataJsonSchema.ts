import * as z from "zod/mini";
import { metadataSchema } from "./metadataSchema.ts";

/**
 * Returns the JSON Schema (draft 2020-12) of the metadata JSON, for editors and other languages. `checkPublishable`
 * also checks rules that JSON Schema cannot express: safe URLs, and the requirements of each interface.
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
