import { GuardedFetchError } from "@app-registry/sdk/issuer";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { z } from "zod";
import { ApiProblem } from "./problem.ts";
import type { Registry } from "./registry.ts";

const named = { name: z.string(), title: z.string().optional(), description: z.string().optional() };
const anyObject = z.record(z.string(), z.unknown());

/** Answer of POST /api/import/mcp: the fields of a metadata endpoint entry. */
export const mcpImportSchema = z.object({
  url: z.string(),
  transport: z.enum(["streamable-http", "sse"]),
  server: z.object({ ...named, version: z.string().optional(), instructions: z.string().optional() }),
  protocolVersion: z.string().optional(),
  tools: z.array(z.looseObject({ ...named, inputSchema: anyObject, annotations: anyObject.optional() })),
  resources: z.array(z.looseObject({ ...named, uri: z.string(), mimeType: z.string().optional() })),
  prompts: z.array(
    z.looseObject({
      ...named,
      arguments: z
        .array(
          z.looseObject({
            name: z.string(),
            description: z.string().optional(),
            required: z.boolean().optional(),
          }),
        )
        .optional(),
    }),
  ),
});

export type McpImport = z.output<typeof mcpImportSchema>;

/** Pages of one listing that are read. */
const MAX_PAGES = 20;

/**
 * Reads what an MCP server offers: tools, resources and prompts, as it lists them. All requests together have the
 * guarded fetcher's time and size.
 * @throws GuardedFetchError, or ApiProblem `mcp-unreadable` when the address is no MCP server that answers.
 */
export async function importMcp(
  url: string,
  { guardedFetch }: Pick<Registry, "guardedFetch">,
): Promise<McpImport> {
  const session = guardedFetch.openSession();
  const failures: GuardedFetchError[] = [];
  const fetch: typeof session.fetch = async (input, init) => {
    try {
      return await session.fetch(input, init);
    } catch (error) {
      // The transports wrap or swallow what their fetch throws; the cause is what the publisher must read.
      if (error instanceof GuardedFetchError) failures.push(error);
      throw error;
    }
  };
  try {
    return await readServer(new URL(url), fetch);
  } catch (error) {
    const cause = failures.find(({ code }) => code !== "http-status") ?? causeOf(error);
    throw cause ?? unreadable(url, error);
  } finally {
    session.close();
  }
}

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

async function readServer(url: URL, fetch: Fetch): Promise<McpImport> {
  try {
    return await readOver(new StreamableHTTPClientTransport(url, { fetch }), url, "streamable-http");
  } catch (error) {
    // The transport's own rule for older servers: a client error on POST means HTTP with SSE.
    const isOlder = error instanceof StreamableHTTPError && [400, 404, 405].includes(error.code ?? 0);
    if (!isOlder) throw error;
    return await readOver(new SSEClientTransport(url, { fetch }), url, "sse");
  }
}

async function readOver(
  transport: StreamableHTTPClientTransport | SSEClientTransport,
  url: URL,
  kind: McpImport["transport"],
): Promise<McpImport> {
  const client = new Client({ name: "app-registry", version: "0.1.0" });
  // A stream that breaks after the lists are read is nobody's failure.
  client.onerror = () => undefined;
  try {
    // The sdk's types write optional properties without undefined.
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    const capabilities = client.getServerCapabilities() ?? {};
    const [tools, resources, prompts] = await Promise.all([
      capabilities.tools ? readAll((cursor) => client.listTools(cursor), "tools") : [],
      capabilities.resources ? readAll((cursor) => client.listResources(cursor), "resources") : [],
      capabilities.prompts ? readAll((cursor) => client.listPrompts(cursor), "prompts") : [],
    ]);
    const { name = url.hostname, version, title } = client.getServerVersion() ?? {};
    const instructions = client.getInstructions();
    return mcpImportSchema.parse({
      url: url.href,
      transport: kind,
      server: { name, version, title, instructions },
      tools,
      resources,
      prompts,
    });
  } finally {
    await client.close();
  }
}

/** Every page of a listing. */
async function readAll<Key extends string, Item>(
  list: (parameters?: {
    cursor: string;
  }) => Promise<{ [key in Key]: Item[] } & { nextCursor?: string | undefined }>,
  key: Key,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await list(cursor === undefined ? undefined : { cursor });
    items.push(...answer[key]);
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return items;
}

function causeOf(error: unknown): GuardedFetchError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof GuardedFetchError) return cause;
  }
  return undefined;
}

function unreadable(url: string, error: unknown): ApiProblem {
  const status =
    error instanceof StreamableHTTPError && error.code && error.code > 0 ? error.code : undefined;
  const needsAccess = status === 401 || status === 403;
  const detail = needsAccess
    ? `${url} asks for credentials (HTTP status ${status}), so its lists can't be read for you: enter them by hand.`
    : `${url} does not answer as an MCP server over HTTP${status ? ` (HTTP status ${status})` : ""}.`;
  return new ApiProblem(422, "mcp-unreadable", "The MCP server can't be read", { detail });
}
