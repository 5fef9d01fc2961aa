import { isJsonObject, type JsonObject } from "@app-registry/sdk";
import type { Client, Transport } from "@modelcontextprotocol/client";
import * as z from "zod";

/** The lists of MCP: the request for each, and the capability of the servers that answer it. */
const lists = {
  tools: { method: "tools/list", capability: "tools" },
  resources: { method: "resources/list", capability: "resources" },
  resourceTemplates: { method: "resources/templates/list", capability: "resources" },
  prompts: { method: "prompts/list", capability: "prompts" },
} as const;

type List = keyof typeof lists;

/** Lists of a server, as it sent them, and its instructions. */
export type McpLists = Record<List, JsonObject[]> & { instructions?: string | undefined };

/** Most pages, and most elements, of one list. */
const MAX_PAGES = 64;
const MAX_ELEMENTS = 10_000;

/** Field to which the lists of a result are moved. */
const ELEMENTS = "app-registry/elements";

const page = z.looseObject({
  [ELEMENTS]: z.record(z.string(), z.array(z.unknown())),
  nextCursor: z.string().optional(),
});

/**
 * Keeps what lists contain from the schemas of the protocol's client, which drop the fields that they don't know and refuse
 * a whole list for one element. To be called before the client connects to the transport.
 */
export function keepElements(transport: Transport): void {
  transport.onmessage = (message) => {
    if (!("result" in message)) return;
    const { result } = message;
    const found = Object.keys(lists).filter((list) => Array.isArray(result[list]));
    if (found.length === 0) return;
    result[ELEMENTS] = Object.fromEntries(found.map((list) => [list, result[list]]));
    for (const list of found) result[list] = [];
  };
}

/**
 * Reads each list of a server to its last page, anew each time. Elements are as the server sent them; what is no object is
 * left out.
 *
 * @throws {Error} for an answer without a list, and for more than 64 pages or 10,000 elements.
 */
export async function readMcpLists(client: Client): Promise<McpLists> {
  const capabilities = client.getServerCapabilities() ?? {};
  const read = async (list: List): Promise<JsonObject[]> => {
    const { method, capability } = lists[list];
    const elements: unknown[] = [];
    if (!capabilities[capability]) return [];
    let cursor: string | undefined;
    for (let pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const answer: z.output<typeof page> = await client.request({ method, params }, page);
      const found = answer[ELEMENTS][list];
      if (!found) throw new Error(`The answer to ${method} has no ${list}.`);
      for (const element of found) elements.push(element);
      if (elements.length > MAX_ELEMENTS || pages === MAX_PAGES) throw new Error(`${list} is too long.`);
      // A server that repeats its last page is at the end.
      cursor = answer.nextCursor === cursor ? undefined : answer.nextCursor;
    }
    return elements.filter((element): element is JsonObject => isJsonObject(element));
  };
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    read("tools"),
    read("resources"),
    // Not every server with resources answers this request.
    read("resourceTemplates").catch(() => []),
    read("prompts"),
  ]);
  return { tools, resources, resourceTemplates, prompts, instructions: client.getInstructions() };
}
