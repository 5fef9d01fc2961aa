import * as z from "zod/mini";
import { caip2Schema } from "../caip.ts";
import { stringSchema } from "../schemas.ts";
import { InvalidTraitError, MAX_TRAITS, normalizeTrait } from "../traits.ts";
import { endpointEntrySchema, singleEndpointSchema } from "./endpointSchema.ts";
import { TRAIT_PATTERN } from "./fieldDescription.ts";
import {
  addressSchema,
  listSchema,
  mediaUrlSchema,
  nameSchema,
  notesSchema,
  objectSchema,
  pageUrlSchema,
  requiredDescriptionSchema,
  serviceDidSchema,
  supportUrlSchema,
  uncheckedSchema,
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
  z.meta({ pattern: TRAIT_PATTERN }),
);

/** Platform of `platforms`: the URLs at which a person opens or downloads the app. */
export const platformSchema = objectSchema({
  downloadUrl: addressSchema("download", z.optional(pageUrlSchema)),
  launchUrl: addressSchema("launch", z.optional(pageUrlSchema)),
  artifactDid: z.optional(
    stringSchema.check(z.regex(/^did:[a-z0-9]+:.+$/, { error: "This must be a DID." })),
  ),
});

/** Price of a request. */
export const priceSchema = objectSchema({
  amount: z.optional(stringSchema),
  symbol: z.optional(stringSchema),
  asset: z.optional(stringSchema),
});

/** Way to pay. */
export const paymentSchema = objectSchema({
  type: nameSchema.clone(),
  url: addressSchema("payment", z.optional(pageUrlSchema)),
  chains: z.optional(listSchema(caip2Schema, MAX_LIST_LENGTH)),
  price: z.optional(uncheckedSchema(priceSchema)),
  payTo: z.optional(uncheckedSchema(stringSchema)),
});

/** Program to install, as in the MCP registry's server.json. */
export const packageSchema = objectSchema({
  identifier: stringSchema.clone(),
  registryType: nameSchema.clone(),
  version: z.optional(stringSchema.clone()),
  registryBaseUrl: z.optional(pageUrlSchema),
  fileSha256: z.optional(
    stringSchema.check(
      z.regex(/^[0-9a-f]{64}$/, { error: "This must be 64 lower-case hexadecimal digits." }),
    ),
  ),
  runtimeHint: z.optional(stringSchema),
  transport: z.optional(objectSchema({})),
});

const mediaUrls = () => z.optional(listSchema(addressSchema("media", mediaUrlSchema), MAX_LIST_LENGTH));

/**
 * Schema of the metadata JSON of a service, in both layouts (`endpoints`, or the earlier single `endpoint`).
 *
 * Checks types, URLs and sizes, preserves unknown fields and rewrites nothing. `checkPublishable` also checks the
 * requirements of a record's interfaces. A dataHash is the hash of the document's text, never of the output of a
 * schema.
 */
export const metadataSchema = objectSchema({
  name: nameSchema.clone(),
  description: requiredDescriptionSchema,
  publisher: nameSchema.clone(),
  image: addressSchema("media", z.optional(mediaUrlSchema)),
  external_url: addressSchema("website", z.optional(pageUrlSchema)),
  supportUrl: addressSchema("support", z.optional(supportUrlSchema)),
  screenshotUrls: mediaUrls(),
  platforms: z.optional(z.record(z.string(), platformSchema, { error: "This must be an object." })),
  videoUrls: mediaUrls(),
  threeDAssetUrls: mediaUrls(),
  portalUrl: addressSchema("portal", z.optional(pageUrlSchema)),
  endpoints: z.optional(listSchema(endpointEntrySchema, MAX_LIST_LENGTH)),
  endpoint: z.optional(singleEndpointSchema),
  interfaceVersions: z.optional(listSchema(stringSchema, MAX_LIST_LENGTH)),
  traits: z.optional(listSchema(traitSchema, MAX_TRAITS)),
  payments: z.optional(listSchema(paymentSchema, MAX_LIST_LENGTH)),
  packages: z.optional(listSchema(packageSchema, MAX_LIST_LENGTH)),
  representativeQueries: z.optional(uncheckedSchema(listSchema(stringSchema, MAX_LIST_LENGTH))),
  releaseNotes: z.optional(notesSchema),
  deprecation: z.optional(notesSchema),
  replacedBy: z.optional(serviceDidSchema),
  // false opts out of the live checks of registries.
  probe: z.optional(z.boolean({ error: "This must be true or false." })),
});

/** Metadata JSON of either layout. */
export type Metadata = z.infer<typeof metadataSchema>;
