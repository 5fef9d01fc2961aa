import { endpointName, type JsonObject, MAX_JSON_DEPTH, MAX_MCP_ENTRIES } from "@app-registry/sdk";
import { endpointEntrySchema } from "@app-registry/sdk/internal";
import { asString } from "../discover/read/json.ts";
import { sanitizeMetadata } from "../discover/sanitizeMetadata.ts";
import { isDeeperThan, type McpList, mcpLists } from "./mcpLists.ts";

/** Element that no record can contain unchanged, or that MCP clients reject. */
export type LeftOutElement = { list: McpList; element: JsonObject; reason: string };

/** Removes the elements that no record can contain from the lists of a server, and returns them with their reasons. */
export async function removeUnregistrable(lists: Record<McpList, JsonObject[]>): Promise<LeftOutElement[]> {
  const { specTypeSchemas } = await import("@modelcontextprotocol/client");
  const leftOut: LeftOutElement[] = [];
  for (const { list, key, type } of mcpLists) {
    const kept = new Map<unknown, JsonObject>();
    const findFault = ({ _meta, ...element }: JsonObject): string | undefined => {
      const entry = { name: endpointName("api:mcp"), [list]: [element] };
      const [invalid] = specTypeSchemas[type]["~standard"].validate(element).issues ?? [];
      const [refused] = endpointEntrySchema.safeParse(entry).error?.issues ?? [];
      const { message } = invalid ?? refused ?? {};
      const path = (invalid?.path ?? refused?.path.slice(2) ?? []).join(".");
      if (message !== undefined) return `${path && `${path}: `}${message.replace("Invalid input: ", "")}`;
      if (kept.has(element[key])) return `an earlier one has the same ${key}`;
      if (JSON.stringify(sanitizeMetadata({ endpoints: [entry] })) !== JSON.stringify({ endpoints: [entry] }))
        return "contains control characters or text direction marks";
      return kept.size < MAX_MCP_ENTRIES ? undefined : `a record has room for ${MAX_MCP_ENTRIES}`;
    };
    for (const element of lists[list]) {
      // An element is below the document, its endpoints, an endpoint and a list.
      const isDeep = isDeeperThan(MAX_JSON_DEPTH - 4, element);
      const reason = isDeep ? "nested too deeply" : findFault(element);
      // Omit nested values, which comparisons could not serialize.
      const shown = isDeep ? { [key]: asString(element[key]) ?? "" } : element;
      if (reason === undefined) kept.set(element[key], element);
      else leftOut.push({ list, element: shown, reason });
    }
    lists[list] = [...kept.values()];
  }
  return leftOut;
}
