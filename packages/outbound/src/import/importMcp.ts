import { MAX_JSON_DEPTH } from "@app-registry/sdk";
import * as z from "zod";
import type { GuardedFetch } from "../fetch/guardedFetch.ts";
import { findGuardedFetchError, GuardedFetchError, timeoutError } from "../fetch/guardedFetchError.ts";
import { mediaTypeIn } from "../fetch/mediaType.ts";
import { ImportError } from "./importError.ts";
import { isDeeperThan } from "./isDeeperThan.ts";
import { connectMcp, listHttpStatus } from "./mcpClient.ts";
import { readMcpLists } from "./mcpLists.ts";
import { McpHandshakeError } from "./negotiate.ts";

const named = { name: z.string(), title: z.string().optional(), description: z.string().optional() };
const anyObject = z.record(z.string(), z.unknown());

/** Self-description of an MCP server: the fields of an endpoint entry in the metadata, and the server's own texts. */
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
 * Reads the tools, resources, resource templates and prompts of an MCP server of any supported revision, as it lists
 * them. All requests share the time and size limits of the guarded fetcher.
 *
 * @throws {GuardedFetchError} if the URL is not allowed or does not respond.
 * @throws {ImportError} `mcp-unreadable` if it does not respond as an MCP server; `needsAccess` is true if it requires
 * credentials. `mcp-revision-unknown` if it supports none of these revisions.
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
      return await rejectBatchResponse(response);
    } catch (error) {
      // Record the error: the transports wrap or swallow what their `fetch` throws, and the publisher needs the cause.
      if (error instanceof GuardedFetchError) failures.push(error);
      throw error;
    }
  };
  try {
    return await readServer(new URL(url), { fetch, signal: session.signal, onConnect });
  } catch (error) {
    const { aborted, reason } = session.signal;
    if (aborted) throw reason instanceof GuardedFetchError ? reason : timeoutError(new URL(url), error);
    const cause = failures.find(({ code }) => code !== "http-status") ?? findGuardedFetchError(error);
    throw (
      cause ??
      createImportError(url, error, { challenge, speaks: speaks || error instanceof McpHandshakeError })
    );
  } finally {
    signal?.removeEventListener("abort", session.close);
    session.close();
  }
}

/** Guarded session that reads a server, with a callback for the end of the handshake. */
type Session = Pick<ReturnType<GuardedFetch["openSession"]>, "fetch" | "signal"> & { onConnect: () => void };

async function readServer(url: URL, { onConnect, ...session }: Session): Promise<McpImport> {
  const { client, transport } = await connectMcp(url, session);
  try {
    onConnect();
    const { instructions, ...lists } = await readMcpLists(client);
    if (isDeeperThan(MAX_JSON_DEPTH, lists)) throw new Error("Its lists are nested too deeply.");
    const server = { name: url.hostname, ...client.getServerVersion(), instructions };
    const protocolVersion = client.getNegotiatedProtocolVersion();
    const read = { url: url.href, transport, ...(protocolVersion && { protocolVersion }), server, ...lists };
    return mcpImportSchema.parse(read);
  } finally {
    await client.close();
  }
}

/**
 * Replaces a JSON-RPC batch by an empty response. MCP has no batches since 2025-06-18, and the client processes all
 * messages of a batch synchronously, so a large one would block the process for seconds.
 */
async function rejectBatchResponse(response: Response): Promise<Response> {
  const { status, headers, body } = response;
  if (!body || !mediaTypeIn(headers).includes("json")) return response;
  const text = await response.text();
  return new Response(/^\s*\[/.test(text) ? "" : text, { status, headers });
}

function createImportError(
  url: string,
  error: unknown,
  { challenge, speaks }: { challenge: string; speaks: boolean },
): ImportError {
  if (error instanceof McpHandshakeError && error.revisions) {
    const message = `${url} is an MCP server of a protocol revision that we can't read. ${error.message}`;
    return new ImportError("mcp-revision-unknown", message, { cause: error, speaks: true });
  }
  const status = listHttpStatus(error);
  const needsAccess = status === 401 || status === 403;
  const message = needsAccess
    ? `${url} requires credentials (HTTP ${status}), so we can't read its tools. Enter them yourself.`
    : speaks
      ? `${url} is an MCP server, but doesn't list what it offers.`
      : `${url} did not respond as an MCP server over HTTP${status ? ` (HTTP status ${status})` : ""}.`;
  return new ImportError("mcp-unreadable", message, {
    cause: error,
    speaks,
    ...(status !== undefined && { status }),
    ...(needsAccess && { challenge }),
  });
}
