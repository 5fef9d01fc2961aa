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

const listNames = Object.keys(lists) as List[];

/** Lists of a server, as it sent them, and its instructions. */
export type McpLists = Record<List, JsonObject[]> & { instructions?: string | undefined };

/** Most pages, and most elements, of one list. */
const MAX_PAGES = 64;
const MAX_ELEMENTS = 10_000;

/** Most characters of all lists together, as JSON. */
const MAX_LENGTH = 16 * 1024 * 1024;

/** Field to which the list of a result is moved. */
const ELEMENTS = "app-registry/elements";

const page = z.looseObject({ [ELEMENTS]: z.array(z.unknown()), nextCursor: z.string().optional() });

/**
 * Keeps what lists contain from the schemas of the protocol's client, which drop the fields that they don't know and refuse
 * a whole list for one element. To be called before the client connects to the transport.
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
 * Reads each list of a server to its last page, anew each time. Elements are as the server sent them; what is no object is
 * left out.
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
