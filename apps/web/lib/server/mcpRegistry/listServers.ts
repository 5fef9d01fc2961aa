import { isVersion, type SearchQueryInput } from "@app-registry/sdk";
import { readParams } from "@app-registry/sdk/internal";
import { z } from "zod";
import type { Registry } from "../registry.ts";
import { searchIndex } from "../searchRegistry.ts";
import { isLatest, type ServerEntry, type ServerList, serverEntry } from "./serverEntry.ts";

/** Parameters of GET /v0.1/servers. Unknown ones are ignored, because clients of other registries may send them. */
export const listServersQuerySchema = z.object({
  cursor: z
    .string()
    .min(1)
    .max(500)
    // A cursor of digits only comes from the chain, which lists no servers.
    .regex(/\D/, "is not a cursor of this list")
    .optional()
    .describe("nextCursor from the previous page."),
  limit: z.coerce.number().pipe(z.int().min(1).max(100)).default(30).describe("Entries per page, 1 to 100."),
  search: z.string().trim().max(200).optional().describe("Case-insensitive part of a name or title."),
  updated_since: z.iso
    .datetime({ offset: true })
    .optional()
    .describe(
      "Entries that changed at or after this time (RFC 3339), deprecated ones too, oldest change first.",
    ),
  version: z
    .string()
    .refine((text) => text === "latest" || isVersion(text), "must be latest or major.minor.patch")
    .optional()
    .describe(
      "latest: only the current version of each service's highest Active major. Or an exact version.",
    ),
});

/**
 * Returns one page of the Active services that have an MCP endpoint, in the format of the MCP registry's API. A page
 * may have fewer entries than requested.
 *
 * @throws InvalidSearchError
 * @throws IndexRequiredError while the index is unavailable.
 */
export async function listServers(url: URL, registry: Registry): Promise<ServerList> {
  // Some clients send an unset parameter as an empty one.
  const given = [...url.searchParams].filter(([, value]) => value !== "");
  const {
    search,
    updated_since: updatedSince,
    version,
    ...paging
  } = readParams(listServersQuerySchema, given);
  const query = { ...paging, ...(search ? { name: search } : {}), ...(updatedSince ? { updatedSince } : {}) };
  const { entries, nextCursor } = await searchServers(registry, query);
  const servers = entries.filter((entry) => isOfVersion(entry, version));
  return { servers, metadata: { count: servers.length, ...(nextCursor === null ? {} : { nextCursor }) } };
}

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
 * Searches for services and returns those that are MCP servers.
 * @throws IndexRequiredError while the index is unavailable. The chain stores no endpoints, so its page would look like
 *   an empty registry.
 */
async function searchServers(
  registry: Registry,
  search: SearchQueryInput,
): Promise<{ entries: ServerEntry[]; nextCursor: string | null }> {
  const query = { ...search, traits: [MCP_TRAIT] };
  const { results, nextCursor } = await searchIndex(registry, query, INDEX_REQUIRED_PROBLEM);
  const entries = results.flatMap((result) => serverEntry(result, registry.environment.publicUrl) ?? []);
  return { entries, nextCursor };
}
