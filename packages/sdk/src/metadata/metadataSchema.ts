import * as z from "zod";
import { caip2Schema } from "../caip.ts";
import { InvalidTraitError, MAX_TRAITS, normalizeTrait } from "../traits.ts";
import { endpointEntrySchema, singleEndpointSchema } from "./endpointSchema.ts";
import {
  listSchema,
  mediaUrlSchema,
  nameSchema,
  objectSchema,
  pageUrlSchema,
  requiredDescriptionSchema,
  stringSchema,
  supportUrlSchema,
} from "./fieldSchemas.ts";
import { MAX_LIST_LENGTH } from "./limits.ts";

const traitSchema = stringSchema.superRefine((text, context) => {
  try {
    normalizeTrait(text);
  } catch (error) {
    if (!(error instanceof InvalidTraitError)) throw error;
    context.addIssue({ code: "custom", message: error.reason, params: { code: "invalid-trait" } });
  }
});

/** A platform of `platforms`: how a person gets or opens the app there. */
const platformSchema = objectSchema({
  launchUrl: pageUrlSchema.optional(),
  downloadUrl: pageUrlSchema.optional(),
  artifactDid: stringSchema.regex(/^did:[a-z0-9]+:.+$/, { error: "This is not a DID." }).optional(),
});

/**
 * The metadata JSON of a service, in both layouts (`endpoints`, or the earlier single `endpoint`).
 *
 * It checks types, URLs and sizes; unknown fields are kept and nothing is rewritten. What the interfaces of a
 * record require beside that is `checkPublishable`'s. A dataHash is of the document's text, never of what a schema
 * returns.
 */
export const metadataSchema = objectSchema({
  name: nameSchema,
  description: requiredDescriptionSchema,
  image: mediaUrlSchema.optional(),
  publisher: nameSchema,
  external_url: pageUrlSchema.optional(),
  supportUrl: supportUrlSchema.optional(),
  platforms: z.record(z.string(), platformSchema, { error: "This is not an object." }).optional(),
  screenshotUrls: listSchema(mediaUrlSchema, MAX_LIST_LENGTH).optional(),
  videoUrls: listSchema(mediaUrlSchema, MAX_LIST_LENGTH).optional(),
  threeDAssetUrls: listSchema(mediaUrlSchema, MAX_LIST_LENGTH).optional(),
  portalUrl: pageUrlSchema.optional(),
  endpoints: listSchema(endpointEntrySchema, MAX_LIST_LENGTH).optional(),
  endpoint: singleEndpointSchema.optional(),
  interfaceVersions: listSchema(stringSchema, MAX_LIST_LENGTH).optional(),
  payments: listSchema(
    objectSchema({
      type: nameSchema,
      url: pageUrlSchema.optional(),
      chains: listSchema(caip2Schema, MAX_LIST_LENGTH).optional(),
    }),
    MAX_LIST_LENGTH,
  ).optional(),
  traits: listSchema(traitSchema, MAX_TRAITS).optional(),
});

/** A metadata JSON of either layout. */
export type Metadata = z.infer<typeof metadataSchema>;
