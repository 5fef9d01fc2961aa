import { isJsonObject, type JsonObject } from "@app-registry/sdk";
import type { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { FetchLike } from "../guardedFetch.ts";
import { keepElements } from "./mcpLists.ts";
import {
  CLIENT,
  decideEra,
  type HandshakeReply,
  type McpEra,
  negotiateMcp,
  unknownRevision,
} from "./negotiate.ts";

/** A client that an MCP server has answered, and how it was reached. */
export type McpConnection = { client: Client; transport: "streamable-http" | "sse" };

// Loaded only when a server is asked, so that nothing else pays for the protocol's client.
const protocolClient = () => import("@modelcontextprotocol/client");

/**
 * Opens a session with an MCP server of any known revision: over Streamable HTTP, else over HTTP with SSE, which older
 * servers speak. The client offers the server nothing, so it may not ask for samples, input or roots.
 *
 * @param options.fetch All requests go through it.
 * @param options.signal Ends the session: whatever the client waits for then fails.
 * @throws {McpHandshakeError} for a server of unknown revisions.
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
    // The transport's own rule for older servers: a client error on POST means HTTP with SSE.
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
  // A stream that breaks between two requests doesn't matter.
  client.onerror = () => undefined;
  signal?.addEventListener("abort", () => void client.close(), { once: true });
  keepElements(transport);
  try {
    await client.connect(transport, { prior: era });
    return client;
  } catch (error) {
    await client.close();
    const [, revision] = /protocol version is not supported: (.*)/s.exec(String(error)) ?? [];
    throw revision === undefined ? error : unknownRevision([revision], error);
  }
}

/** Reads the server's answer from what the protocol's client throws: from a JSON-RPC error, or an HTTP error's text. */
function getReply(error: unknown): HandshakeReply {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: unknown };
  const status = listHttpStatus(error);
  if (typeof code === "number") return { status, error: { code, data } };
  const text = isJsonObject(data) ? (data as JsonObject).text : undefined;
  try {
    const body: unknown = JSON.parse(String(text));
    return { status, error: isJsonObject(body) ? (body as JsonObject).error : undefined };
  } catch {
    return { status };
  }
}

/** Returns the HTTP status of a refusal, which the protocol's client gives as `status`, or as `code` for an SSE stream. */
export function listHttpStatus(error: unknown): number | undefined {
  const { name, status, code } = (error ?? {}) as { name?: unknown; status?: unknown; code?: unknown };
  // The code of a JSON-RPC error can be any number.
  const given = name === "ProtocolError" ? status : (status ?? code);
  return typeof given === "number" && given >= 100 ? given : undefined;
}
