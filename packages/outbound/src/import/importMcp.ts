import { MAX_JSON_DEPTH } from "@app-registry/sdk";
import type { SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as z from "zod";
import type { GuardedFetch } from "../guardedFetch.ts";
import { GuardedFetchError, timeoutError } from "../guardedFetchError.ts";
import { ImportError } from "./importError.ts";

const named = { name: z.string(), title: z.string().optional(), description: z.string().optional() };
const anyObject = z.record(z.string(), z.unknown());

/** What an MCP server says about itself: the fields of a metadata endpoint entry, and the server's own texts. */
export const mcpImportSchema = z.object({
  url: z.string(),
  transport: z.enum(["streamable-http", "sse"]),
  protocolVersion: z.optional(z.string()),
  server: z.object({
    ...named,
    version: z.string().optional(),
    instructions: z.string().optional(),
    websiteUrl: z.string().optional(),
    icons: z.array(z.looseObject({ src: z.string() })).optional(),
  }),
  tools: z.array(z.looseObject({ ...named, inputSchema: anyObject, annotations: anyObject.optional() })),
  resources: z.array(z.looseObject({ ...named, uri: z.string(), mimeType: z.string().optional() })),
  resourceTemplates: z.array(
    z.looseObject({ ...named, uriTemplate: z.string(), mimeType: z.string().optional() }),
  ),
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

/**
 * Reads what an MCP server offers: tools, resources, resource templates and prompts, as it lists them. All requests share
 * the guarded fetcher's time and size limits.
 *
 * @throws {GuardedFetchError} when the address is not allowed or doesn't answer, {@link ImportError} `mcp-unreadable`
 * when it doesn't answer as an MCP server; `needsAccess` says whether it asks for credentials.
 * @example
 * const { tools } = await importMcp(mcpUrl, { guardedFetch });
 * tools.some(({ name }) => name === "echo"); // true
 */
export async function importMcp(
  url: string,
  { guardedFetch, signal }: { guardedFetch: GuardedFetch; signal?: AbortSignal },
): Promise<McpImport> {
  const session = guardedFetch.openSession();
  signal?.addEventListener("abort", session.close);
  const failures: GuardedFetchError[] = [];
  let challenge = "";
  let speaks = false;
  const onConnect = () => {
    speaks = true;
  };
  const fetch: typeof session.fetch = async (input, init) => {
    try {
      const response = await session.fetch(input, init);
      challenge ||= response.headers.get("www-authenticate") ?? "";
      return await withoutBatch(response);
    } catch (error) {
      // The transports wrap or swallow what their fetch throws; the publisher must see the cause.
      if (error instanceof GuardedFetchError) failures.push(error);
      throw error;
    }
  };
  try {
    return await readServer(new URL(url), { fetch, signal: session.signal, onConnect });
  } catch (error) {
    const { aborted, reason } = session.signal;
    if (aborted) throw reason instanceof GuardedFetchError ? reason : timeoutError(new URL(url), error);
    const cause = failures.find(({ code }) => code !== "http-status") ?? causeOf(error);
    throw cause ?? unreadable(url, error, { challenge, speaks });
  } finally {
    signal?.removeEventListener("abort", session.close);
    session.close();
  }
}

/** The fetch that reads a server, the signal that ends it, and what is told of the handshake. */
type Session = Pick<ReturnType<GuardedFetch["openSession"]>, "fetch" | "signal"> & { onConnect: () => void };

// Loaded only when a server is read, so that nothing else pays for the protocol's client.
const protocolClient = () => import("@modelcontextprotocol/client");

async function readServer(url: URL, { fetch, ...session }: Session): Promise<McpImport> {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await protocolClient();
  try {
    const transport = new StreamableHTTPClientTransport(url, { fetch });
    return await readOver(transport, { url, kind: "streamable-http", ...session });
  } catch (error) {
    // The transport's own rule for older servers: a client error on POST means HTTP with SSE.
    if (![400, 404, 405].includes(httpStatus(error) ?? 0)) throw error;
    return await readOver(new SSEClientTransport(url, { fetch }), { url, kind: "sse", ...session });
  }
}

async function readOver(
  transport: StreamableHTTPClientTransport | SSEClientTransport,
  parameters: { url: URL; kind: McpImport["transport"] } & Omit<Session, "fetch">,
): Promise<McpImport> {
  const { url, kind, signal, onConnect } = parameters;
  const { Client } = await protocolClient();
  const client = new Client({ name: "app-registry", version: "0.1.0" });
  // A stream that breaks after the lists are read doesn't matter.
  client.onerror = () => undefined;
  // Whatever the client still waits for fails now, instead of at the client's own time limit.
  const end = () => void client.close();
  signal.addEventListener("abort", end);
  try {
    await client.connect(transport);
    onConnect();
    const capabilities = client.getServerCapabilities() ?? {};
    // These read each list to its last page.
    const [{ tools }, { resources }, { resourceTemplates }, { prompts }] = await Promise.all([
      capabilities.tools ? client.listTools() : { tools: [] },
      capabilities.resources ? client.listResources() : { resources: [] },
      // Not every server with resources answers this request.
      capabilities.resources
        ? client.listResourceTemplates().catch(() => ({ resourceTemplates: [] }))
        : { resourceTemplates: [] },
      capabilities.prompts ? client.listPrompts() : { prompts: [] },
    ]);
    const server = {
      name: url.hostname,
      ...client.getServerVersion(),
      instructions: client.getInstructions(),
    };
    const protocolVersion = client.getNegotiatedProtocolVersion();
    const about = { url: url.href, transport: kind, ...(protocolVersion && { protocolVersion }) };
    const read = { ...about, server, tools, resources, resourceTemplates, prompts };
    if (isDeeperThan(MAX_JSON_DEPTH, read)) throw new Error("Its lists are nested too deep.");
    return mcpImportSchema.parse(read);
  } finally {
    signal.removeEventListener("abort", end);
    await client.close();
  }
}

/**
 * The answer, unless it is a JSON-RPC batch. MCP has none since 2025-06-18, and the client handles all messages of a batch
 * in one go, so a large one would block the process for seconds.
 */
async function withoutBatch(response: Response): Promise<Response> {
  const { status, headers, body } = response;
  if (!body || !headers.get("content-type")?.includes("json")) return response;
  const text = await response.text();
  if (/^\s*\[/.test(text)) throw new Error("The server answers one request with a batch.");
  return new Response(text, { status, headers });
}

/** Whether a JSON value nests more than `depth` objects and arrays, which no published document may. */
function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(depth - 1, inner));
}

function causeOf(error: unknown): GuardedFetchError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof GuardedFetchError) return cause;
  }
  return undefined;
}

/** The HTTP status of a refusal, which the protocol's client gives as `status` (HTTP) or `code` (SSE stream). */
function httpStatus(error: unknown): number | undefined {
  const { status, code } = (error ?? {}) as { status?: unknown; code?: unknown };
  return [status, code].find((value): value is number => typeof value === "number" && value >= 100);
}

function unreadable(
  url: string,
  error: unknown,
  { challenge, speaks }: { challenge: string; speaks: boolean },
): ImportError {
  const status = httpStatus(error);
  const needsAccess = status === 401 || status === 403;
  const message = needsAccess
    ? `${url} asks for credentials (HTTP status ${status}), so its lists can't be read for you: enter them by hand.`
    : speaks
      ? `${url} answers as an MCP server, and does not list what it offers.`
      : `${url} does not answer as an MCP server over HTTP${status ? ` (HTTP status ${status})` : ""}.`;
  return new ImportError("mcp-unreadable", message, {
    cause: error,
    speaks,
    ...(status !== undefined && { status }),
    ...(needsAccess && { challenge }),
  });
}
