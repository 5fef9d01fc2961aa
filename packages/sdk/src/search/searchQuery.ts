import { getAddress } from "viem";
import * as z from "zod";
import { normalizeDid } from "../did.ts";
import { isInterfaceBitmap } from "../interfaces.ts";
import { normalizeTrait } from "../traits.ts";
import { parseVersion } from "../version.ts";
import { addressSchema } from "./hexSchemas.ts";

/** Runs a normaliser and reports what it throws as a problem of the field. */
const normalized =
  <Output>(normalize: (value: string) => Output) =>
  (value: string, context: z.RefinementCtx): Output => {
    try {
      return normalize(value);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  };

const integer = (schema: z.ZodInt) =>
  z.union([schema, z.string().regex(/^\d+$/).transform(Number).pipe(schema)]);

const maxTraits = 20;

const traitsSchema = z
  .union([
    z.string().transform((text) => text.split(",").filter((trait) => trait.trim() !== "")),
    z.array(z.string()),
  ])
  .pipe(z.array(z.string().transform(normalized(normalizeTrait))).max(maxTraits))
  .describe("Traits, separated by commas. Matched as trait hashes of the on-chain record.");

const statusNumbers = { active: 0, deprecated: 1, replaced: 2, "0": 0, "1": 1, "2": 2, any: "any" } as const;

const statusSchema = z
  .union([
    z.literal([0, 1, 2]),
    z
      .enum(["active", "deprecated", "replaced", "any", "0", "1", "2"])
      .transform((name): 0 | 1 | 2 | "any" => statusNumbers[name]),
  ])
  .describe("active, deprecated, replaced (or 0, 1, 2) or any. Default active.");

const versionPart = z.int().min(0).max(255);
const versionSchema = z.object({ major: versionPart, minor: versionPart, patch: versionPart });

/**
 * A search as it stands in a query string or in an options object; parsing normalises it, and
 * changes nothing in a search that is parsed already.
 * Unknown parameters are refused, so that a misspelt filter never widens a search unnoticed.
 */
export const searchQuerySchema = z.strictObject({
  traits: traitsSchema.optional(),
  match: z
    .enum(["all", "any"])
    .default("all")
    .describe("Whether a result carries all of `traits` or any of them."),
  interface: integer(z.int().refine(isInterfaceBitmap, "must be 1 to 7"))
    .optional()
    .describe("Interface bitmap, 1 to 7: every bit of it is set in a result."),
  q: z
    .string()
    .trim()
    .max(200)
    .transform((text) => text || undefined)
    .optional()
    .describe("Full-text search in name, description, publisher, traits and DID. At most 200 characters."),
  status: statusSchema.default(0),
  owner: addressSchema
    .transform((value) => getAddress(value))
    .optional()
    .describe("Holder of the token."),
  did: z.string().transform(normalized(normalizeDid)).optional().describe("All records of one DID."),
  minVersion: z
    .union([z.string().transform(normalized(parseVersion)), versionSchema])
    .optional()
    .describe("Lowest version, as major.minor.patch."),
  sort: z
    .enum(["relevance", "newest", "updated", "name"])
    .optional()
    .describe("Default relevance with q, else newest."),
  limit: integer(z.int().min(1).max(100)).default(20).describe("Results in a page, 1 to 100."),
  cursor: z.string().min(1).max(500).optional().describe("The nextCursor of the page before."),
});

/** A search before it is parsed: what a caller writes. */
export type SearchQueryInput = z.input<typeof searchQuerySchema>;

/** A search with every default filled in and every value normalised. */
export type SearchQuery = z.output<typeof searchQuerySchema>;
