import { IndexNeededError, parseSearchQuery, type SearchQueryInput } from "@app-registry/sdk";
import type { Registry } from "../registry.ts";
import { searchRegistry } from "../searchRegistry.ts";
import { type ServerEntry, serverEntry } from "./serverEntry.ts";

/** The trait of every service that has an MCP endpoint. */
export const MCP_TRAIT = "api:mcp";

/**
 * The MCP servers among what a search finds.
 * @throws IndexNeededError while the index is away: the chain knows no endpoints, and its page would read as an empty
 * registry.
 */
export async function searchServers(
  registry: Registry,
  search: SearchQueryInput,
): Promise<{ entries: ServerEntry[]; nextCursor: string | null }> {
  const query = parseSearchQuery({ ...search, traits: [MCP_TRAIT] });
  const { results, nextCursor, source } = await searchRegistry(registry, query);
  if (source === "chain") {
    throw new IndexNeededError([{ parameter: "servers", message: "the chain does not list endpoints" }]);
  }
  const entries = results.flatMap((result) => serverEntry(result, registry.environment.publicUrl) ?? []);
  return { entries, nextCursor };
}
