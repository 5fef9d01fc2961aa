import { isJsonObject, type JsonObject } from "@app-registry/sdk";
import * as z from "zod";

/** What a service can be read from, the most specific first. */
export const findingKinds = ["metadata", "mcp", "a2a", "openapi", "erc8004", "contract", "website"] as const;

export type FindingKind = (typeof findingKinds)[number];

/** A part of a metadata JSON. It is passed on as it is: a copy by schema could lose a field that a dataHash covers. */
const metadataPartSchema = z
  .unknown()
  .refine((value) => isJsonObject(value), "is not an object")
  .meta({ type: "object", additionalProperties: true }) as unknown as z.ZodType<JsonObject, JsonObject>;

/** What a document, a server or a contract says of a service, in the fields of the metadata JSON. */
const findingSchema = z.object({
  kind: z.enum(findingKinds),
  url: z.string().describe("Where it was read; for a contract its did:pkh."),
  metadata: metadataPartSchema.describe("The fields of a metadata JSON that it gives."),
  interfaces: z.int().min(0).max(7).describe("The interface bits that it gives; 0 if it doesn't say."),
  version: z.string().optional().describe("major.minor.patch, if its version can be one."),
  offers: z.array(z.string()).describe('What it offers in words, such as "13 tools".'),
  owner: z.string().optional().describe("For a contract the account that its owner() names."),
});

export type Finding = z.output<typeof findingSchema>;

/** A place that was asked, and what came of it. */
const lookSchema = z.object({
  place: z.string().describe("A URL, or a contract's CAIP-10 id."),
  lookedFor: z.string(),
  outcome: z
    .enum(["found", "absent", "failed"])
    .describe("absent: it answers, but not with that. failed: it gives no answer that can be read."),
  reason: z.string().optional(),
});

export type Look = z.output<typeof lookSchema>;

/** What could be found out about a service from one address. */
export const discoverySchema = z.object({
  input: z.string().describe("What was asked for, as a URL or a DID."),
  dids: z
    .array(z.object({ did: z.string(), why: z.string() }))
    .describe("DIDs that the service could have, canonical, the likeliest first."),
  findings: z.array(findingSchema).describe("What was found; what the address itself is comes first."),
  looked: z.array(lookSchema).describe("Every place that was asked."),
});

export type Discovery = z.output<typeof discoverySchema>;
