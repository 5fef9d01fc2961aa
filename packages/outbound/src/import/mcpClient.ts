import { isJsonObject, type JsonObject } from "@app-registry/sdk";
import { capabilityLists } from "@app-registry/sdk/internal";
import type {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  Transport,
  VersionNegotiationOptions,
} from "@modelcontextprotocol/client";
import * as z from "zod";
import type { FetchLike } from "../fetch/guardedFetch.ts";
import { printable } from "../fetch/guardedFetchError.ts";
import { asObject, parseJson } from "./json.ts";

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
function keepElements(transport: Transport): void {
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

/** First MCP revision without handshakes and without streams that can be resumed. The only such one supported. */
export const STATELESS_REVISION = "2026-07-28";

/** JSON-RPC error code for an unsupported revision (MCP 2026-07-28). */
const UNSUPPORTED_REVISION = -32_022;

/** Time limit for `server/discover` before `initialize` is tried, in milliseconds. Some servers ignore it. */
const PATIENCE = 2_000;

/** Client name and version that this package sends in handshakes. */
export const CLIENT = { name: "app-registry", version: "0.1.0" };

export type McpConnection = { client: Client; transport: "streamable-http" | "sse" };

/** Error for an MCP server that supports none of our revisions, or that violates the handshake. */
export class McpHandshakeError extends Error {
  override readonly name = "McpHandshakeError";
  /** Revisions that the server supports instead, or `undefined` if it violates the protocol. */
  readonly revisions: readonly string[] | undefined;

  constructor(message: string, options: { revisions?: readonly string[]; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.revisions = options.revisions;
  }
}

/** Rejection of `server/discover` by HTTP status, from a server that also rejects `initialize`. */
class McpRefusal extends Error {
  override readonly name = "McpRefusal";
  readonly status: number;

  constructor(status: number, cause: unknown) {
    super(`The server refused with HTTP ${status}.`, { cause });
    this.status = status;
  }
}

// Import the MCP client on first use, so that callers that never connect don't load it.
const protocolClient = () => import("@modelcontextprotocol/client");

/**
 * Opens a session with an MCP server of any supported revision: over Streamable HTTP, else over HTTP with SSE for older
 * servers. Sends `server/discover`, then tries `initialize` unless the reply names only other revisions: gateways and
 * older servers reply to unknown methods in any way. The client declares no capabilities, so the server may not request
 * sampling, elicitation or roots.
 *
 * @param options.fetch `fetch` for all requests.
 * @param options.signal Ends the session when it aborts. Pending requests then fail.
 * @throws {McpHandshakeError} if the server supports none of these revisions.
 */
export async function connectMcp(
  url: URL,
  { fetch, signal }: { fetch: FetchLike; signal?: AbortSignal },
): Promise<McpConnection> {
  let status = 0;
  const observed: FetchLike = async (input, init) => {
    const response = await fetch(input, init);
    status = response.status;
    return response;
  };
  const discover = (probe: VersionNegotiationOptions["probe"] = {}) =>
    openHttp(url, { fetch: observed, signal }, { mode: { pin: STATELESS_REVISION }, probe });
  let discovered: unknown;
  try {
    return await discover({ timeoutMs: PATIENCE });
  } catch (error) {
    discovered = error;
  }
  const revisionError = toRevisionError(discovered);
  if (revisionError || signal?.aborted) throw revisionError ?? discovered;
  const refused = status;
  // Don't send `initialize` to a server that has just asked us to wait.
  if (refused === 429) throw new McpRefusal(refused, discovered);
  try {
    return await openWithHandshake(url, { fetch, signal });
  } catch (error) {
    if (signal?.aborted || error instanceof McpHandshakeError) throw error;
    // The server may be slow rather than old, so retry without the short time limit.
    if (refused === 0) return discover();
    if ([401, 402, 403].includes(refused)) throw new McpRefusal(refused, error);
    throw toRevisionError(error) ?? error;
  }
}

type Way = { fetch: FetchLike; signal: AbortSignal | undefined };

async function openHttp(
  url: URL,
  { fetch, signal }: Way,
  versionNegotiation?: VersionNegotiationOptions,
): Promise<McpConnection> {
  const { StreamableHTTPClientTransport } = await protocolClient();
  const transport = new StreamableHTTPClientTransport(url, { fetch });
  return { client: await open(transport, signal, versionNegotiation), transport: "streamable-http" };
}

async function openWithHandshake(url: URL, way: Way): Promise<McpConnection> {
  try {
    return await openHttp(url, way);
  } catch (error) {
    // The MCP specification defines the fallback: a client error on POST means HTTP with SSE.
    const isOlder = [400, 404, 405].includes(listHttpStatus(error) ?? 0);
    if (!isOlder || getReply(error).code === UNSUPPORTED_REVISION) throw error;
    const { SSEClientTransport } = await protocolClient();
    const transport = new SSEClientTransport(url, { fetch: way.fetch });
    return { client: await open(transport, way.signal), transport: "sse" };
  }
}

async function open(
  transport: StreamableHTTPClientTransport | SSEClientTransport,
  signal: AbortSignal | undefined,
  versionNegotiation: VersionNegotiationOptions = {},
): Promise<Client> {
  const { Client } = await protocolClient();
  const client = new Client(CLIENT, { versionNegotiation });
  // Ignore streams that break between requests: only the requests matter.
  client.onerror = () => undefined;
  // The transport for SSE waits for its first event forever.
  const ended = new Promise<never>((_, reject) => {
    const end = () => void client.close().finally(() => reject(signal?.reason));
    signal?.addEventListener("abort", end, { once: true });
  });
  keepElements(transport);
  try {
    await Promise.race([client.connect(transport), ended]);
    return client;
  } catch (error) {
    await client.close();
    const [, revision] = /protocol version is not supported: (.*)/s.exec(String(error)) ?? [];
    throw revision === undefined ? error : unknownRevision([revision], error);
  }
}

/** Returns true if a revision uses `initialize`. Revisions are ISO dates, so they sort as strings. */
const isLegacy = (revision: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(revision) && revision < STATELESS_REVISION;

/** Returns the error for a server that supports only other revisions, or `undefined` if it may have an earlier one. */
function toRevisionError(error: unknown): McpHandshakeError | undefined {
  const { code, data } = getReply(error);
  if (code !== UNSUPPORTED_REVISION) return undefined;
  const { supported } = isJsonObject(data) ? data : { supported: [] };
  const revisions = Array.isArray(supported) ? supported.filter((one) => typeof one === "string") : [];
  if (revisions.some(isLegacy)) return undefined;
  if (!revisions.includes(STATELESS_REVISION)) return unknownRevision(revisions, error);
  const message = `The server refused ${STATELESS_REVISION}, which it supports.`;
  return new McpHandshakeError(message, { cause: error });
}

/** Creates the error for a server of unsupported revisions. Lists at most five of them, truncated. */
function unknownRevision(revisions: readonly string[], cause: unknown): McpHandshakeError {
  const named = revisions.slice(0, 5).map((one) => printable(one, 30));
  const offered = named.length > 0 ? `only ${named.join(", ")}` : "a revision that it doesn't name";
  return new McpHandshakeError(`The server supports ${offered}.`, { revisions, cause });
}

/** Reads the server's reply from an error of the MCP client: a JSON-RPC error, or the text of an HTTP error. */
function getReply(error: unknown): { code?: unknown; data?: unknown } {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: unknown };
  if (typeof code === "number") return { code, data };
  const body = parseJson(String(isJsonObject(data) && data.text));
  return isJsonObject(body) ? asObject((body as JsonObject).error) : {};
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
