import * as z from "zod/mini";
import { caip2Schema } from "../caip.ts";
import { InvalidTraitError, MAX_TRAITS, normalizeTrait } from "../traits.ts";
import { endpointEntrySchema, singleEndpointSchema } from "./endpointSchema.ts";
import {
  listSchema,
  mediaUrlSchema,
  nameSchema,
  notesSchema,
  objectSchema,
  pageUrlSchema,
  requiredDescriptionSchema,
  serviceDidSchema,
  stringSchema,
  supportUrlSchema,
} from "./fieldSchemas.ts";
import { MAX_LIST_LENGTH } from "./limits.ts";

const traitSchema = stringSchema.check(
  z.superRefine((text, context) => {
    try {
      normalizeTrait(text);
    } catch (error) {
      if (!(error instanceof InvalidTraitError)) throw error;
      context.addIssue({ code: "custom", message: error.reason, params: { code: "invalid-trait" } });
    }
  }),
);

/** Platform of `platforms`: the URLs at which a person opens or downloads the app. */
const platformSchema = objectSchema({
  launchUrl: z.optional(pageUrlSchema),
  downloadUrl: z.optional(pageUrlSchema),
  artifactDid: z.optional(
    stringSchema.check(z.regex(/^did:[a-z0-9]+:.+$/, { error: "This must be a DID." })),
  ),
});

/**
 * Schema of the metadata JSON of a service, in both layouts (`endpoints`, or the earlier single `endpoint`).
 *
 * Checks types, URLs and sizes, preserves unknown fields and rewrites nothing. `checkPublishable` also checks the
 * requirements of a record's interfaces. A dataHash is the hash of the document's text, never of the output of a
 * schema.
 */
export const metadataSchema = objectSchema({
  name: nameSchema,
  description: requiredDescriptionSchema,
  image: z.optional(mediaUrlSchema),
  publisher: nameSchema,
  external_url: z.optional(pageUrlSchema),
  supportUrl: z.optional(supportUrlSchema),
  platforms: z.optional(z.record(z.string(), platformSchema, { error: "This must be an object." })),
  screenshotUrls: z.optional(listSchema(mediaUrlSchema, MAX_LIST_LENGTH)),
  videoUrls: z.optional(listSchema(mediaUrlSchema, MAX_LIST_LENGTH)),
  threeDAssetUrls: z.optional(listSchema(mediaUrlSchema, MAX_LIST_LENGTH)),
  portalUrl: z.optional(pageUrlSchema),
  endpoints: z.optional(listSchema(endpointEntrySchema, MAX_LIST_LENGTH)),
  endpoint: z.optional(singleEndpointSchema),
  interfaceVersions: z.optional(listSchema(stringSchema, MAX_LIST_LENGTH)),
  payments: z.optional(
    listSchema(
      objectSchema({
        type: nameSchema,
        url: z.optional(pageUrlSchema),
        chains: z.optional(listSchema(caip2Schema, MAX_LIST_LENGTH)),
      }),
      MAX_LIST_LENGTH,
    ),
  ),
  traits: z.optional(listSchema(traitSchema, MAX_TRAITS)),
  releaseNotes: z.optional(notesSchema),
  deprecation: z.optional(notesSchema),
  replacedBy: z.optional(serviceDidSchema),
  // false opts out of the live checks of registries.
  probe: z.optional(z.boolean({ error: "This must be true or false." })),
});

/** Metadata JSON of either layout. */
export type Metadata = z.infer<typeof metadataSchema>;
