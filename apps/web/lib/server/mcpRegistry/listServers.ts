import { InvalidSearchError, isVersion, type SearchPage, type SearchQueryInput } from "@app-registry/sdk";
import { readParams } from "@app-registry/sdk/internal";
import { z } from "zod";
import type { Registry } from "../registry.ts";
import { searchIndex } from "../searchRegistry.ts";
import { isLatest, type ServerEntry, type ServerList, serverEntry } from "./serverEntry.ts";

/** Parameter that also lists the services that the operator has hidden. */
export const includeDeletedSchema = z
  .enum(["true", "false"], "must be true or false")
  .transform((text) => text === "true")
  .default(false)
  .describe("true: include services that the operator has hidden, as deleted. updated_since implies it.");

const searchSchema = z.object({
  cursor: z
    .string()
    .min(1)
    .max(6_000)
    // A cursor of digits only comes from the chain, which lists no servers.
    .regex(/\D/, "is not a cursor of this list")
    .optional()
    .describe("nextCursor from the previous page. It contains `search`, which the next request may omit."),
  limit: z.coerce.number().pipe(z.int().min(1).max(100)).default(30).describe("Entries per page, 1 to 100."),
  search: z.string().trim().max(200).optional().describe("Words of names, descriptions, tools and DIDs."),
  updated_since: z.iso
    .datetime({
      offset: true,
      error: "must be an RFC 3339 time, such as 2026-01-31T12:00:00Z (with + as %2B)",
    })
    .optional()
    .describe("Entries that changed at or after this time (RFC 3339), oldest change first."),
});

/** Parameters of GET /v0.1/servers. Unknown ones are ignored, because clients of other registries may send them. */
export const listServersQuerySchema = searchSchema.extend({
  version: z
    .string()
    .refine((text) => text === "latest" || isVersion(text), "must be latest or major.minor.patch")
    .optional()
    .describe(
      "latest: only the current version of each service's highest Active major. Or an exact version.",
    ),
  include_deleted: includeDeletedSchema,
});

/**
 * Returns one page of the services that have an MCP endpoint, in the format of the MCP registry's API. A page may have
 * fewer entries than requested.
 *
 * @throws InvalidSearchError
 * @throws IndexRequiredError while the index is unavailable.
 */
export async function listServers(url: URL, registry: Registry): Promise<ServerList> {
  const { version, include_deleted: deleted, ...search } = readParams(listServersQuerySchema, listGiven(url));
  const { results, nextCursor } = await searchServers(registry, search);
  const servers = results.flatMap((result) => {
    const hiddenReason = registry.hidden.reasonOf(result.did);
    if (hiddenReason !== undefined && !deleted && !search.updated_since) return [];
    const entry = serverEntry(result, registry.environment.publicUrl, hiddenReason);
    return entry && isOfVersion(entry, version) ? [entry] : [];
  });
  return { servers, metadata: { count: servers.length, ...(nextCursor === null ? {} : { nextCursor }) } };
}

/** Lists the parameters of a URL. Some clients send an unset parameter as an empty one. */
export const listGiven = (url: URL): [string, string][] =>
  [...url.searchParams].filter(([, value]) => value !== "");

function isOfVersion(entry: ServerEntry, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return wanted === "latest" ? isLatest(entry) : entry.server.version === wanted;
}

/** Problem to report when the search needs the index and only the chain is available. */
export const INDEX_REQUIRED_PROBLEM = {
  parameter: "servers",
  message: "requires the search index, which is unavailable",
};

/** Trait of every service that has an MCP endpoint. */
export const MCP_TRAIT = "api:mcp";

/**
 * Searches for services. The cursor of a page contains the field and the text: VS Code sends the cursor without its
 * search.
 *
 * @throws InvalidSearchError if the cursor belongs to another search.
 * @throws IndexRequiredError while the index is unavailable. The chain stores no endpoints, so its page would look like
 *   an empty registry.
 */
async function searchServers(
  registry: Registry,
  { search, cursor, limit, updated_since: updatedSince }: z.output<typeof searchSchema>,
): Promise<Pick<SearchPage, "results" | "nextCursor">> {
  const find = async (by: SearchQueryInput) => {
    const query = { limit, updatedSince, status: "any" as const, traits: [MCP_TRAIT], ...by };
    return searchIndex({ ...registry, hidden: nothingHidden }, query, INDEX_REQUIRED_PROBLEM);
  };
  const [, encoded, position] = /^q~([\w-]*)~(.+)$/.exec(cursor ?? "") ?? [];
  if (encoded === undefined) return withSearch(await find({ ...(search && { q: search }), cursor }), search);
  const text = Buffer.from(encoded, "base64url").toString();
  if (search && search !== text) {
    throw new InvalidSearchError([{ parameter: "cursor", message: "is not a cursor of this search" }]);
  }
  return withSearch(await find({ q: text, cursor: position }), text);
}

/** Hides no service. Callers of a search with it decide which hidden services to list. */
export const nothingHidden: Registry["hidden"] = { reasonOf: () => undefined, dids: () => [] };

/** Adds the search to the cursor of a page. Clients send it unencoded, so it has only characters that a URL allows. */
function withSearch({ results, nextCursor }: SearchPage, search: string | undefined) {
  if (nextCursor === null || !search) return { results, nextCursor };
  return { results, nextCursor: `q~${Buffer.from(search).toString("base64url")}~${nextCursor}` };
}
