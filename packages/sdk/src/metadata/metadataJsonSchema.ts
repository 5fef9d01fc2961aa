import * as z from "zod/mini";
import { fieldDescriptions } from "./describedFields.ts";
import { getMeaning } from "./fieldDescription.ts";
import { metadataSchema } from "./metadataSchema.ts";

/**
 * Returns the JSON Schema (draft 2020-12) of the metadata JSON, for editors and other languages. `checkPublishable`
 * also checks rules that JSON Schema cannot express: safe URLs, and the requirements of each interface.
 *
 * @example
 * metadataJsonSchema().type; // "object"
 */
export function metadataJsonSchema(): Record<string, unknown> {
  return { title: "App Registry metadata", ...toDescribedJsonSchema(metadataSchema) };
}

/** Returns the JSON Schema of a schema, with the label and the meaning of each field. */
export function toDescribedJsonSchema(schema: z.core.$ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      const description = fieldDescriptions.get(zodSchema);
      if (description)
        Object.assign(jsonSchema, { title: description.label, description: getMeaning(description) });
    },
  });
}
