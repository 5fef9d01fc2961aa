import { isJsonObject, type JsonObject } from "@app-registry/sdk";
import type { Client, Transport } from "@modelcontextprotocol/client";
import * as z from "zod";

/** MCP lists: the method of each, and the capability that servers declare for it. */
const lists = {
  tools: { method: "tools/list", capability: "tools" },
  resources: { method: "resources/list", capability: "resources" },
  resourceTemplates: { method: "resources/templates/list", capability: "resources" },
  prompts: { method: "prompts/list", capability: "prompts" },
} as const;

type List = keyof typeof lists;

const listNames = Object.keys(lists) as List[];

/** Unmodified lists of a server, and its instructions. */
export type McpLists = Record<List, JsonObject[]> & { instructions?: string | undefined };

/** Maximum numbers of pages and elements of one list. */
const MAX_PAGES = 64;
const MAX_ELEMENTS = 10_000;

/** Maximum length of all lists together as JSON, in characters. */
const MAX_LENGTH = 16 * 1024 * 1024;

/** Field of a result to which its list is moved. */
const ELEMENTS = "app-registry/elements";

const page = z.looseObject({ [ELEMENTS]: z.array(z.unknown()), nextCursor: z.string().optional() });

/**
 * Hides list elements from the schemas of the MCP client, which drop unknown fields and reject a whole list for one
 * invalid element. Call it before the client connects to the transport.
 */
export function keepElements(transport: Transport): void {
  const requested = new Map<string, List>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const list = "method" in message && listNames.find((name) => lists[name].method === message.method);
    if (list && "id" in message) requested.set(String(message.id), list);
    return send(message, options);
  };
  transport.onmessage = (message) => {
    if (!("result" in message)) return;
    const { result } = message;
    const list = requested.get(String(message.id));
    requested.delete(String(message.id));
    if (!list || !Array.isArray(result[list])) return;
    result[ELEMENTS] = result[list];
    result[list] = [];
  };
}

/**
 * Reads all pages of each list of a server, without a cache. Elements are unmodified; those that are not objects are
 * omitted.
 *
 * @throws {Error} for an answer without a list, for more than 64 pages or 10,000 elements of a list, and for more than
 * 16,777,216 characters of all lists.
 */
export async function readMcpLists(client: Client): Promise<McpLists> {
  const capabilities = client.getServerCapabilities() ?? {};
  let length = 0;
  const read = async (list: List): Promise<JsonObject[]> => {
    const { method, capability } = lists[list];
    const elements: unknown[] = [];
    if (!capabilities[capability]) return [];
    let cursor: string | undefined;
    for (let pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const answer: z.output<typeof page> = await client.request({ method, params }, page);
      for (const element of answer[ELEMENTS]) elements.push(element);
      length += JSON.stringify(answer[ELEMENTS]).length;
      if (elements.length > MAX_ELEMENTS || pages === MAX_PAGES || length > MAX_LENGTH)
        throw new Error(`${list} is too long.`);
      // Stop at a repeated cursor: some servers return their last page again.
      cursor = answer.nextCursor === cursor ? undefined : answer.nextCursor;
    }
    return elements.filter((element): element is JsonObject => isJsonObject(element));
  };
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    read("tools"),
    read("resources"),
    // Some servers with resources don't support this request.
    read("resourceTemplates").catch(() => []),
    read("prompts"),
  ]);
  return { tools, resources, resourceTemplates, prompts, instructions: client.getInstructions() };
}
