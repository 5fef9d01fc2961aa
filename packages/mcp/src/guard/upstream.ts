import { setTimeout as sleep } from "node:timers/promises";
import {
  connectMcp,
  createOriginFetch,
  findGuardedFetchError,
  isDeeperThan,
  type McpLists,
  readMcpLists,
} from "@app-registry/outbound/internal";
import { isJsonObject, type JsonObject, type JsonValue } from "@app-registry/sdk";
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  isInputRequiredResult,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type Tool,
} from "@modelcontextprotocol/server";
import { createServerFetch } from "./serverFetch.ts";
import { LostSessionError, toCallError, toUpstreamError, UpstreamError } from "./upstreamError.ts";

type Client = Awaited<ReturnType<typeof connectMcp>>["client"];
type AskOptions = NonNullable<Parameters<Client["request"]>[2]>;

/** Method of a request that is forwarded unchanged. */
export type Method = "tools/call" | "resources/read" | "prompts/get" | "completion/complete";

/** Connection to an MCP server, which opens a session when needed. Its errors are {@link UpstreamError}s. */
export type Upstream = {
  /** Reads all pages of all lists and the instructions, without a cache. */
  list(): Promise<McpLists>;
  /**
   * Sends a request once and returns the unmodified result.
   *
   * @param element Requested element, as the server lists it.
   * @throws {LostSessionError} if a session is in use and the server responds with HTTP 404 (MCP 2025-11-25, session
   * management).
   */
  ask<Result>(
    method: Method,
    params: Record<string, unknown>,
    element: JsonObject | undefined,
    options: AskOptions,
  ): Promise<Result>;
  /** Returns true if there is a newer session than the one that an error is about. */
  hasNewSession(lost: LostSessionError): boolean;
  /** Closes the connection once its requests have ended. */
  retire(): Promise<void>;
  close(): Promise<void>;
};

export type UpstreamEvents = {
  /** Called when the server announces a changed list. Servers need not do so. */
  onListChanged: (list: ChangedList) => void;
  /** Called with each response of status 402. */
  onPaymentRequired: (response: Response) => Promise<unknown>;
};

/** List whose change a server can announce. */
export type ChangedList = "tools" | "resources" | "prompts";

/** Time limit of a call, in milliseconds. Clients have their own, shorter limits. */
const CALL_TIMEOUT_MS = 3_600_000;

/** Maximum nesting of a result. Serializing a much deeper one as JSON would overflow the stack. */
const MAX_DEPTH = 500;

const TOO_DEEP = "The service's answer is nested too deeply. The request may have been carried out.";

/** Fields of results with elements that may have `_meta`. */
const resultLists = ["content", "contents", "messages"];

/** Pause before a subscription that ended is renewed, in milliseconds. */
const RESUBSCRIBE = 60_000;

/** HTTP statuses of servers that have lost a session or changed their revision. Lists are then read again in a new one. */
const unknownSessionStatuses = [400, 404, 405, 422];

/** Codes of errors for results of another revision. */
const invalidResultCodes: ReadonlySet<unknown> = new Set([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
]);

/** Time limit for deleting a session, in milliseconds. */
const DELETE_TIMEOUT = 1_000;

/**
 * Creates a connection to a server, limited to the server's origin.
 *
 * @param options.headers Headers of every request, such as the user's `Authorization`.
 */
export function createUpstream(
  url: string,
  options: {
    headers: Record<string, string>;
    allowLoopback: boolean;
  } & UpstreamEvents,
): Upstream {
  const { onListChanged, onPaymentRequired, ...own } = options;
  const origin = createOriginFetch(url, { ...own, userAgent: "app-registry-connect/0.1" });
  const quotes = Object.keys(options.headers).length === 0;
  let session: Promise<Client> | undefined;
  let opened = 0;

  const originFetch: typeof origin.fetch = async (...request) => {
    const response = await origin.fetch(...request);
    if (response.status === 402) await onPaymentRequired(response.clone());
    return response;
  };

  async function open(): Promise<Client> {
    let onStreamEnd: () => void = () => undefined;
    const { fetch, end } = createServerFetch(originFetch, () => onStreamEnd());
    const { client, transport } = await connectMcp(new URL(url), { fetch });
    endAnswered(client, end);
    // Close the client: with SSE all replies arrive on one stream, so pending requests will never get one.
    if (transport === "sse") onStreamEnd = () => void client.close();
    for (const list of ["tools", "resources", "prompts"] as const)
      client.setNotificationHandler(`notifications/${list}/list_changed`, () => onListChanged(list));
    if (client.getProtocolEra() === "modern") void subscribe(client).catch(() => undefined);
    opened += 1;
    return client;
  }

  /** Returns the client of the current session, or of a new one if none exists or it has ended. */
  async function current(): Promise<Client> {
    session ??= open();
    const used = session;
    try {
      const client = await used;
      if (client.transport !== undefined) return client;
    } catch (error) {
      if (session === used) session = undefined;
      throw error;
    }
    if (session === used) session = undefined;
    return current();
  }

  async function list(): Promise<McpLists> {
    const before = opened;
    const client = await current();
    const isNew = opened !== before;
    try {
      return await readMcpLists(client);
    } catch (error) {
      const isUnknown =
        error instanceof ProtocolError ||
        (error instanceof SdkHttpError && unknownSessionStatuses.includes(error.status)) ||
        (error instanceof SdkError && invalidResultCodes.has(error.code));
      if (isNew || !isUnknown) throw error;
      await client.close();
      return readMcpLists(await current());
    }
  }

  async function ask<Result>(...[method, params, element, asked]: Parameters<Upstream["ask"]>) {
    const client = await current();
    const session = opened;
    const hasSession = client.transport?.sessionId !== undefined;
    const given = { timeout: CALL_TIMEOUT_MS, ...asked, allowInputRequired: true as const };
    const { name, inputSchema } = (element ?? {}) as Tool;
    // Use `callTool`, which sends the headers that a tool's schema requires. Omit the output schema to skip its check.
    const sent =
      method === "tools/call"
        ? client.callTool({ ...params, name }, { ...given, toolDefinition: { name, inputSchema } })
        : client.request({ method, params }, given);
    const result = (await sent.catch((error) => {
      const isLost = hasSession && findGuardedFetchError(error)?.status === 404;
      throw isLost ? new LostSessionError(session, error) : toCallError(error);
    })) as JsonObject;
    if (isDeeperThan(MAX_DEPTH, result)) throw new UpstreamError(TOO_DEEP);
    if (!isInputRequiredResult(result)) return withoutMeta(result) as Result;
    throw new UpstreamError("The service asks for more input, which this command doesn't pass on.");
  }

  const running = new Set<Promise<unknown>>();
  const safe = <Result>(promise: Promise<Result>): Promise<Result> => {
    running.add(promise);
    return promise
      .catch((error) => {
        throw toUpstreamError(error, quotes);
      })
      .finally(() => running.delete(promise));
  };

  async function end(): Promise<void> {
    const client = await session?.catch(() => undefined);
    if (client) {
      await Promise.race([deleteSession(client), sleep(DELETE_TIMEOUT, undefined, { ref: false })]);
      await client.close().catch(() => undefined);
    }
    await origin.close();
  }

  let ended: Promise<void> | undefined;
  const close = (): Promise<void> => {
    ended ??= end();
    return ended;
  };

  return {
    list: () => safe(list()),
    ask: (...asked) => safe(ask(...asked)),
    hasNewSession: (lost) => opened > lost.session,
    async retire() {
      while (running.size > 0) await Promise.allSettled(running);
      await close();
    },
    close,
  };
}

/** Tells the server that the session of a client is no longer needed (MCP 2025-11-25, session management). */
async function deleteSession({ transport }: Client): Promise<void> {
  const { terminateSession } = (transport ?? {}) as Partial<StreamableHTTPClientTransport>;
  if (transport?.sessionId !== undefined) await terminateSession?.call(transport).catch(() => undefined);
}

/** Returns a result without the `_meta` of itself, of its elements and of the contents of those. */
function withoutMeta({ _meta, ...result }: JsonObject): JsonObject {
  const strip = (value: JsonValue): JsonValue => {
    if (!isJsonObject(value)) return value;
    const { _meta: _, ...rest } = value;
    for (const inner of ["content", "resource"])
      if (isJsonObject(rest[inner])) rest[inner] = strip(rest[inner]);
    return rest;
  };
  for (const list of resultLists) {
    const elements = result[list];
    if (Array.isArray(elements)) result[list] = elements.map(strip);
  }
  return result;
}

/** Ends each request of a client when its reply arrives, because a server may leave the response stream open. */
function endAnswered({ transport }: Client, end: (id: unknown) => void): void {
  if (!transport) return;
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    onmessage?.(message, extra);
    if ("id" in message && !("method" in message)) end(message.id);
  };
}

/** Subscribes to changes of the lists and renews the subscription when it ends (MCP 2026-07-28). */
async function subscribe(client: Client): Promise<void> {
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const filter = {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
  };
  while (client.transport !== undefined && Object.keys(filter).length > 0) {
    const { closed } = await client.listen(filter);
    await closed;
    await sleep(RESUBSCRIBE, undefined, { ref: false });
  }
}
