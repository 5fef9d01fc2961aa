import * as z from "zod/mini";
import { fieldDescriptions } from "./describedFields.ts";
import { CONTRACT_ENDPOINT_NAME, endpointEntrySchema, singleEndpointSchema } from "./endpointSchema.ts";
import { getMeaning } from "./fieldDescription.ts";
import { metadataSchema } from "./metadataSchema.ts";
import { serviceAddressRules } from "./serviceAddress.ts";

/** Entries of `endpoints` need a URL, unless they describe a contract. */
const needsUrl = {
  if: { properties: { name: { const: CONTRACT_ENDPOINT_NAME } }, required: ["name"] },
  else: { properties: { endpoint: {} }, required: ["endpoint"] },
};

/**
 * Returns the JSON Schema (draft 2020-12) of the metadata JSON, for editors and other languages. `checkPublishable`
 * also checks rules that JSON Schema cannot express: the requirements of each interface, the size of the document,
 * traits that are listed twice, every rule of host names, and lengths in UTF-16 code units (JSON Schema counts
 * characters).
 *
 * @example
 * metadataJsonSchema().type; // "object"
 */
export function metadataJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = toDescribedJsonSchema(metadataSchema);
  return { $schema, $id: "urn:app-registry:metadata", title: "App Registry metadata", ...schema };
}

/** Returns the JSON Schema of a schema, with the label and the meaning of each field. */
export function toDescribedJsonSchema(schema: z.core.$ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      // Validators differ in what they accept as this format. The pattern is the rule.
      delete jsonSchema.format;
      if (zodSchema === endpointEntrySchema)
        Object.assign(jsonSchema, needsUrl, serviceAddressRules("endpoint"));
      if (zodSchema === singleEndpointSchema) Object.assign(jsonSchema, serviceAddressRules("url"));
      const description = fieldDescriptions.get(zodSchema);
      if (description)
        Object.assign(jsonSchema, { title: description.label, description: getMeaning(description) });
    },
  });
}
