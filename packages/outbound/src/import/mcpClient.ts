import { isJsonObject, type JsonObject } from "@app-registry/sdk";
import type { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { parseJson } from "../discover/read/json.ts";
import type { FetchLike } from "../fetch/guardedFetch.ts";
import { keepElements } from "./mcpLists.ts";
import {
  CLIENT,
  decideEra,
  type HandshakeReply,
  type McpEra,
  negotiateMcp,
  unknownRevision,
} from "./negotiate.ts";

/** Connected MCP client and its transport. */
export type McpConnection = { client: Client; transport: "streamable-http" | "sse" };

// Import the MCP client on first use, so that callers that never connect don't load it.
const protocolClient = () => import("@modelcontextprotocol/client");

/**
 * Opens a session with an MCP server of any supported revision: over Streamable HTTP, else over HTTP with SSE for older
 * servers. The client declares no capabilities, so the server may not request sampling, elicitation or roots.
 *
 * @param options.fetch `fetch` for all requests.
 * @param options.signal Ends the session when it aborts. Pending requests then fail.
 * @throws {McpHandshakeError} if the server supports none of these revisions.
 */
export function connectMcp(
  url: URL,
  { fetch, signal }: { fetch: FetchLike; signal?: AbortSignal },
): Promise<McpConnection> {
  const open = (era: McpEra) => openInEra(url, era, { fetch, signal });
  return negotiateMcp(url, { fetch, signal, open, replyOf: getReply });
}

type Way = { fetch: FetchLike; signal: AbortSignal | undefined };

async function openInEra(url: URL, era: McpEra, { fetch, signal }: Way): Promise<McpConnection> {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await protocolClient();
  try {
    const client = await open(new StreamableHTTPClientTransport(url, { fetch }), era, signal);
    return { client, transport: "streamable-http" };
  } catch (error) {
    // The MCP specification defines the fallback: a client error on POST means HTTP with SSE.
    const isOlder = [400, 404, 405].includes(listHttpStatus(error) ?? 0);
    if (era.kind === "modern" || !isOlder || decideEra(getReply(error)).kind !== "legacy") throw error;
    return { client: await open(new SSEClientTransport(url, { fetch }), era, signal), transport: "sse" };
  }
}

async function open(
  transport: StreamableHTTPClientTransport | SSEClientTransport,
  era: McpEra,
  signal: AbortSignal | undefined,
): Promise<Client> {
  const { Client } = await protocolClient();
  const client = new Client(CLIENT);
  // Ignore streams that break between requests: only the requests matter.
  client.onerror = () => undefined;
  // The transport for SSE waits for its first event forever.
  const ended = new Promise<never>((_, reject) => {
    const end = () => void client.close().finally(() => reject(signal?.reason));
    signal?.addEventListener("abort", end, { once: true });
  });
  keepElements(transport);
  try {
    await Promise.race([client.connect(transport, { prior: era }), ended]);
    return client;
  } catch (error) {
    await client.close();
    const [, revision] = /protocol version is not supported: (.*)/s.exec(String(error)) ?? [];
    throw revision === undefined ? error : unknownRevision([revision], error);
  }
}

/** Reads the server's reply from an error of the MCP client: a JSON-RPC error, or the text of an HTTP error. */
function getReply(error: unknown): HandshakeReply {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: unknown };
  const status = listHttpStatus(error);
  if (typeof code === "number") return { status, error: { code, data } };
  const text = isJsonObject(data) ? (data as JsonObject).text : undefined;
  const body = parseJson(String(text));
  return { status, error: isJsonObject(body) ? (body as JsonObject).error : undefined };
}

/** Returns true if an error is a server's JSON-RPC error. */
export const isRpcError = (error: unknown) => error instanceof Error && error.name === "ProtocolError";

/** Returns the HTTP status of an MCP client's error, which has it in `status`, or in `code` for an SSE stream. */
export function listHttpStatus(error: unknown): number | undefined {
  const { status, code } = (error ?? {}) as { status?: unknown; code?: unknown };
  // Ignore `code` of a JSON-RPC error: it is not an HTTP status.
  const given = isRpcError(error) ? status : (status ?? code);
  return typeof given === "number" && given >= 100 ? given : undefined;
}
