import { isJsonObject, type JsonObject } from "@app-registry/sdk";
import { capabilityLists } from "@app-registry/sdk/internal";
import type { Client, Transport } from "@modelcontextprotocol/client";
import * as z from "zod";

/** MCP lists: the method of each, the capability that servers declare for it, and the type of its elements. */
const lists = {
  tools: { method: "tools/list", capability: "tools", type: "Tool" },
  resources: { method: "resources/list", capability: "resources", type: "Resource" },
  resourceTemplates: {
    method: "resources/templates/list",
    capability: "resources",
    type: "ResourceTemplate",
  },
  prompts: { method: "prompts/list", capability: "prompts", type: "Prompt" },
} as const;

/** Name of a list of an MCP server. */
export type McpList = keyof typeof lists;

const listNames = Object.keys(lists) as McpList[];

/** MCP lists with the kind and the key of their elements. */
export const mcpLists = capabilityLists.flatMap(({ list: name, ...one }) => {
  const list = name as McpList;
  return one.kind === "skill" ? [] : [{ ...one, list, type: lists[list].type }];
});

/** Unmodified lists of a server, and its instructions. */
export type McpLists = Record<McpList, JsonObject[]> & { instructions?: string | undefined };

/** Maximum numbers of pages and elements of one list. */
const MAX_PAGES = 64;
const MAX_ELEMENTS = 10_000;

/** Maximum length of all lists together as JSON, in characters. */
const MAX_LENGTH = 16 * 1024 * 1024;

/** Field of a result to which its list is moved. */
const ELEMENTS = "result";

const page = z.looseObject({
  [ELEMENTS]: z.array(z.unknown(), "It contains no list."),
  nextCursor: z.string().optional(),
});

/**
 * Hides list elements from the schemas of the MCP client, which drop unknown fields and reject a whole list for one
 * invalid element. Call it before the client connects to the transport.
 */
export function keepElements(transport: Transport): void {
  const requested = new Map<string, McpList>();
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
 * @param onFailure Called with the list that can't be read, before the error is thrown.
 * @throws {Error} for an answer without a list, for more than 64 pages or 10,000 elements of a list, and for more than
 * 16,777,216 characters of all lists.
 */
export async function readMcpLists(client: Client, onFailure?: (list: McpList) => void): Promise<McpLists> {
  const capabilities = client.getServerCapabilities() ?? {};
  let length = 0;
  const read = async (list: McpList): Promise<JsonObject[]> => {
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
        throw new Error(
          `It has more than ${MAX_PAGES} pages or ${MAX_ELEMENTS.toLocaleString("en")} entries.`,
        );
      // Stop at a repeated cursor: some servers return their last page again.
      cursor = answer.nextCursor === cursor ? undefined : answer.nextCursor;
    }
    return elements.filter((element): element is JsonObject => isJsonObject(element));
  };
  const readRequired = (list: McpList) =>
    read(list).catch((error) => {
      onFailure?.(list);
      throw error;
    });
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    readRequired("tools"),
    readRequired("resources"),
    // Some servers with resources don't support this request.
    read("resourceTemplates").catch(() => []),
    readRequired("prompts"),
  ]);
  return { tools, resources, resourceTemplates, prompts, instructions: client.getInstructions() };
}

/** Returns true if a JSON value nests more than `depth` objects and arrays. Published documents must not. */
export function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(depth - 1, inner));
}
