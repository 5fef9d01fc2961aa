import {
  connectMcp,
  createOriginFetch,
  guardedFetchErrorIn,
  type McpLists,
  readMcpLists,
} from "@app-registry/outbound/internal";
import { SdkHttpError } from "@modelcontextprotocol/server";
import { createServerFetch } from "./serverFetch.ts";

type Client = Awaited<ReturnType<typeof connectMcp>>["client"];
type AskOptions = NonNullable<Parameters<Client["request"]>[2]>;

/** What is handed on as it is. */
export type Method = "tools/call" | "resources/read" | "prompts/get" | "completion/complete";

/** An MCP server, with which a session is opened whenever one is needed. */
export type Upstream = {
  /** Reads all its lists to their last pages, anew each time, and its instructions. */
  list(): Promise<McpLists>;
  /**
   * Sends a request; the answer is as it comes. A second time only if the server no longer has the session, which it says by
   * HTTP 404 (MCP 2025-11-25, session management).
   *
   * @param recheck Reads the lists, in a new session if this one is gone, and throws if the request is no longer allowed.
   */
  ask<Result>(
    method: Method,
    params: Record<string, unknown>,
    recheck: () => Promise<void>,
    options: AskOptions,
  ): Promise<Result>;
  close(): Promise<void>;
};

/** Longest call, in milliseconds; clients have their own, shorter limits. */
const LONGEST_CALL = 3_600_000;

/** HTTP statuses of servers that don't know a session, with which lists are read again in a new one. */
const forgotten = [400, 404];

/**
 * Reaches a server at its own origin only.
 *
 * @param options.headers Sent with every request, such as the user's `Authorization`.
 * @param options.onListChanged Called when the server says that a list changed, which it need not say.
 */
export function createUpstream(
  url: string,
  options: { headers: Record<string, string>; allowLoopback: boolean; onListChanged: () => void },
): Upstream {
  const { onListChanged, ...own } = options;
  const origin = createOriginFetch(url, { ...own, userAgent: "app-registry-connect/0.1" });
  let session: Promise<Client> | undefined;
  let opened = 0;

  async function open(): Promise<Client> {
    let onStreamEnd: () => void = () => undefined;
    const fetch = createServerFetch(origin.fetch, () => onStreamEnd());
    const { client, transport } = await connectMcp(new URL(url), { fetch });
    // This transport's answers all come by one stream, so what was asked before its end stays unanswered.
    if (transport === "sse") onStreamEnd = () => void client.close();
    for (const list of ["tools", "resources", "prompts"] as const)
      client.setNotificationHandler(`notifications/${list}/list_changed`, onListChanged);
    opened += 1;
    return client;
  }

  /** Returns the client of the current session, or of a new one if there is none or it has ended. */
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

  return {
    async list() {
      const client = await current();
      const hasSession = client.transport?.sessionId !== undefined;
      try {
        return await readMcpLists(client);
      } catch (error) {
        if (!hasSession || !(error instanceof SdkHttpError) || !forgotten.includes(error.status)) throw error;
        await client.close();
        return readMcpLists(await current());
      }
    },
    async ask<Result>(
      method: Method,
      params: Record<string, unknown>,
      recheck: () => Promise<void>,
      asked: AskOptions,
    ) {
      const send = async (client: Client) =>
        (await client.request({ method, params }, { timeout: LONGEST_CALL, ...asked })) as Result;
      const client = await current();
      const session = opened;
      const hasSession = client.transport?.sessionId !== undefined;
      try {
        return await send(client);
      } catch (error) {
        if (!hasSession || guardedFetchErrorIn(error)?.status !== 404) throw error;
        await recheck();
        // The session is still there, so the server has answered the call.
        if (opened === session) throw error;
        return await send(await current());
      }
    },
    async close() {
      await session?.then((client) => client.close()).catch(() => undefined);
      await origin.close();
    },
  };
}
