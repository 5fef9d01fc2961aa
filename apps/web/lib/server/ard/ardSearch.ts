import {
  InvalidDidError,
  isCanonicalDid,
  normalizeDid,
  normalizeTrait,
  type SearchQueryInput,
} from "@app-registry/sdk";
import { z } from "zod";
import { ApiProblem } from "../problem.ts";
import type { Registry } from "../registry.ts";
import { searchIndex } from "../searchRegistry.ts";
import { type ArdEntry, ardEntrySchema, ardTypes, DOCUMENT_TYPE, toArdEntry } from "./ardEntry.ts";

const text = z.string().trim().min(1).max(200);
const many = z.union([text.transform((value) => [value]), z.array(text).min(1).max(20)]).optional();
const one = <Value extends z.ZodType>(value: Value) =>
  z.union([value, z.tuple([value]).transform(([only]) => only as z.output<Value>)]).optional();

/** Converts a host to its DID. Another port is another host. */
const hostDid = z.string().transform((host, context) => {
  try {
    return normalizeDid(`did:web:${host.replaceAll(":", "%3A")}`);
  } catch (error) {
    if (!(error instanceof InvalidDidError)) throw error;
    context.addIssue({ code: "custom", message: "must be a host" });
    return z.NEVER;
  }
});

const filterFields = {
  type: many,
  tags: many,
  publisher: one(hostDid),
  "trustManifest.identity": one(z.string().refine(isCanonicalDid, "must be a DID")),
  "trustManifest.attestations.type": one(
    z.enum(["app-registry/control", "app-registry/content", "app-registry/attested"]),
  ),
};
const filterSchema = z
  .strictObject(filterFields, {
    error: ({ code }) =>
      code === "unrecognized_keys" ? `Filter by ${Object.keys(filterFields).join(", ")} only.` : undefined,
  })
  .optional()
  .describe("Entries must match every field. Only type or tags may list several values: one must match.");

type ArdFilter = z.output<typeof filterSchema>;

const context = z
  .union([z.string(), z.looseObject({}), z.array(z.unknown())])
  .optional()
  .describe("JSON-LD context (ARD 0.91). Ignored: filters use only the terms of ARD itself.");
const pageToken = z.string().optional().describe("pageToken of the previous page. Absent on the last page.");

/** Body of POST /search in ARD 0.9 and 0.91. */
export const searchRequestSchema = z.strictObject({
  query: z.strictObject({ "@context": context, text, filter: filterSchema }),
  federation: z.enum(["auto", "referrals", "none"]).default("auto").describe("Results are always its own."),
  pageSize: z.int().min(1).max(100).default(10),
  pageToken,
});

export const searchResponseSchema = z.object({
  results: z.array(
    ardEntrySchema.extend({
      score: z.int().min(0).max(100).describe("Falls with the rank. Never a measure of trust."),
      source: z.url(),
    }),
  ),
  referrals: z.array(z.unknown()).optional().describe("Empty. Only with federation: referrals."),
  pageToken,
});
/** Problem to report while only the chain is available. */
const INDEX_REQUIRED = {
  parameter: "query",
  message: "requires the search index, which is unavailable",
};

/** Maximum number of pages of the index to read for one page of entries. */
const MAX_READS = 5;

/** Returns the base URL of this registry's ARD API. */
export const ardUrl = (publicUrl: string): string => new URL("/api/ard/", publicUrl).href;

/** Answers POST /search. A page may have fewer results than requested. */
export async function searchArd(
  { query: { text: q, filter }, federation, ...page }: z.output<typeof searchRequestSchema>,
  registry: Registry,
): Promise<z.output<typeof searchResponseSchema>> {
  const { entries, place, ...next } = await listEntries(registry, filter, q, page);
  const source = ardUrl(registry.environment.publicUrl);
  const toScore = (index: number) => Math.round(100 / (1 + (place + index) / 20));
  return {
    results: entries.map((entry, index) => ({ ...entry, score: toScore(index), source })),
    ...(federation === "referrals" && { referrals: [] }),
    ...next,
  };
}

/** Lists the entries of a page. `place` is the number of entries on the pages before. */
async function listEntries(
  registry: Registry,
  filter: ArdFilter,
  q: string,
  { pageSize, pageToken }: { pageSize: number; pageToken?: string | undefined },
) {
  const filtered = toArdSearch(filter);
  let { place, cursor } = readToken(pageToken);
  const entries: ArdEntry[] = [];
  for (let reads = 0; filtered && reads < MAX_READS && entries.length < pageSize; reads++) {
    const query = { ...filtered, q, limit: pageSize - entries.length, ...(cursor && { cursor }) };
    const { results, nextCursor } = await searchIndex(registry, query, INDEX_REQUIRED);
    for (const result of results) {
      const entry = toArdEntry(result, registry.environment.publicUrl, filter?.type);
      if (entry) entries.push(entry);
    }
    cursor = nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  return { entries, place, ...(cursor && { pageToken: `${place + entries.length}.${cursor}` }) };
}

function readToken(token: string | undefined): { place: number; cursor?: string | undefined } {
  if (token === undefined) return { place: 0 };
  // A cursor of digits only comes from the chain, which this API does not list.
  const [, place, cursor] = /^(\d{1,6})\.(?=.*[^\d])([\w-]{1,4000})$/.exec(token) ?? [];
  if (place !== undefined) return { place: Number(place), cursor };
  const detail = "Send the pageToken of the previous page unchanged.";
  throw new ApiProblem(400, "invalid-page-token", "Invalid pageToken", { detail });
}

/**
 * Converts a filter to a search, or to `undefined` if nothing can match it.
 *
 * @throws ApiProblem 400 `invalid-filter` for a filter that the index can't apply.
 */
function toArdSearch(filter: ArdFilter = {}): SearchQueryInput | undefined {
  const { type, tags, publisher, "trustManifest.identity": did } = filter;
  if (type?.includes(DOCUMENT_TYPE)) throw invalidFilter(`type doesn't find ${DOCUMENT_TYPE}`);
  const types =
    type && Object.entries(ardTypes).flatMap(([trait, each]) => (type.includes(each) ? trait : []));
  const groups = [types, tags?.flatMap(toTrait)].filter((group) => group !== undefined);
  if (groups.some(({ length }) => length === 0)) return undefined;
  if (groups.length > 1 && groups.flat().length > 2) {
    throw invalidFilter("with both type and tags, give one value of each");
  }
  const fact = filter["trustManifest.attestations.type"]?.slice("app-registry/".length);
  return {
    ...{ status: "active", control: "pass" },
    ...(groups.length > 0 && { traits: groups.flat(), match: groups.length > 1 ? "all" : "any" }),
    ...(did ? { did } : publisher && { under: publisher }),
    ...(fact && { [fact]: "pass" }),
  };
}

const toTrait = (tag: string): string[] => {
  try {
    return [normalizeTrait(tag)];
  } catch {
    return [];
  }
};

const invalidFilter = (message: string): ApiProblem =>
  new ApiProblem(400, "invalid-filter", "Invalid filter", { detail: `Change the filter: ${message}.` });
