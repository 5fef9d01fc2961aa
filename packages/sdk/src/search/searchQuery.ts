import { getAddress } from "viem";
import * as z from "zod";
import { normalizeDid } from "../did.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { isInterfaceBitmap } from "../interfaces.ts";
import { normalizeTrait } from "../traits.ts";
import { parseVersion } from "../version.ts";
import { normalizeDidPrefix } from "./didPrefix.ts";
import { addressSchema } from "./hexSchemas.ts";

function messageOf(error: unknown): string {
  if (error instanceof AppRegistryError) return error.shortMessage;
  return error instanceof Error ? error.message : String(error);
}

/** Runs a normaliser and reports what it throws as a problem of the field. */
const normalized =
  <Output>(normalize: (value: string) => Output) =>
  (value: string, context: z.RefinementCtx): Output => {
    try {
      return normalize(value);
    } catch (error) {
      context.addIssue({ code: "custom", message: messageOf(error) });
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
  .describe("active, deprecated, replaced (or 0, 1, 2) or any. Default active; with updatedSince any.");

const versionPart = z.int().min(0).max(255);
const versionSchema = z.object({ major: versionPart, minor: versionPart, patch: versionPart });

/** The end of the year 9999: a time beyond it is one in milliseconds. */
const maxTime = 253_402_300_799;

const timeSchema = z
  .union([
    integer(z.int().min(0).max(maxTime)),
    z
      .union([z.iso.datetime({ offset: true }), z.iso.date()])
      .transform((text) => Math.floor(Date.parse(text) / 1000)),
  ])
  .describe(
    "Records whose version, status, holder or labels changed at or after this time, ISO 8601 or Unix seconds. " +
      "They come oldest change first, whatever their status unless `status` is given.",
  );

const flagSchema = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]);

const textSchema = z
  .string()
  .trim()
  .max(200)
  .transform((text) => text || undefined);

const parametersSchema = z.strictObject({
  traits: traitsSchema.optional(),
  match: z
    .enum(["all", "any"])
    .default("all")
    .describe("Whether a result carries all of `traits` or any of them."),
  interface: integer(z.int().refine(isInterfaceBitmap, "must be 1 to 7"))
    .optional()
    .describe("Interface bitmap, 1 to 7: every bit of it is set in a result."),
  q: textSchema
    .optional()
    .describe("Full-text search in name, description, publisher, traits and DID. At most 200 characters."),
  name: textSchema
    .optional()
    .describe(
      "Part of a record's name (of its DID, where it has none) or of its name in MCP registries, whatever its case. " +
        "At most 200 characters. Not with q.",
    ),
  status: statusSchema.optional(),
  owner: addressSchema
    .transform((value) => getAddress(value))
    .optional()
    .describe("Holder of the token."),
  did: z.string().transform(normalized(normalizeDid)).optional().describe("All records of one DID."),
  didPrefix: z
    .string()
    .transform(normalized(normalizeDidPrefix))
    .optional()
    .describe("Records whose DID begins so, from the method on: did:web:example.com"),
  minVersion: z
    .union([z.string().transform(normalized(parseVersion)), versionSchema])
    .optional()
    .describe("Lowest version, as major.minor.patch."),
  updatedSince: timeSchema.optional(),
  sort: z
    .enum(["relevance", "newest", "updated", "changed", "name"])
    .optional()
    .describe(
      "Default relevance with q, else newest; updated: last version first; changed: last change of any kind first. " +
        "Not with updatedSince.",
    ),
  facets: flagSchema
    .default(false)
    .describe("Whether the answer counts all that the search finds: total and facets."),
  limit: integer(z.int().min(1).max(100)).default(20).describe("Results in a page, 1 to 100."),
  cursor: z.string().min(1).max(500).optional().describe("The nextCursor of the page before."),
});

type Parameters = z.output<typeof parametersSchema>;

/** Parameters that are right each by itself and say nothing together. */
function contradictions(query: Parameters): { parameter: keyof Parameters; message: string }[] {
  const found: ReturnType<typeof contradictions> = [];
  if (query.sort === "relevance" && query.q === undefined) {
    found.push({ parameter: "sort", message: "relevance needs q" });
  }
  if (query.sort !== undefined && query.updatedSince !== undefined) {
    found.push({ parameter: "sort", message: "has no place beside updatedSince: oldest change comes first" });
  }
  if (query.name !== undefined && query.q !== undefined) {
    found.push({ parameter: "name", message: "has no place beside q" });
  }
  if (query.did !== undefined && query.didPrefix !== undefined) {
    found.push({ parameter: "didPrefix", message: "has no place beside did" });
  }
  return found;
}

/**
 * A search as it stands in a query string or in an options object; parsing normalises it, and
 * changes nothing in a search that is parsed already.
 * Unknown parameters are refused, so that a misspelt filter never widens a search unnoticed.
 */
export const searchQuerySchema = parametersSchema
  .superRefine((query, context) => {
    for (const { parameter, message } of contradictions(query)) {
      context.addIssue({ code: "custom", path: [parameter], message });
    }
  })
  // A mirror has to hear of removals; everybody else is shown what is in use.
  .transform(({ status, ...query }) => ({
    ...query,
    status: status ?? (query.updatedSince === undefined ? (0 as const) : ("any" as const)),
  }));

/** A search before it is parsed: what a caller writes. */
export type SearchQueryInput = z.input<typeof searchQuerySchema>;

/** A search with every default filled in and every value normalised. */
export type SearchQuery = z.output<typeof searchQuerySchema>;
