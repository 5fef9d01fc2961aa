import { setTimeout as sleep } from "node:timers/promises";
import { GuardedFetchError } from "@app-registry/outbound";
import type { OriginFetch } from "@app-registry/outbound/internal";
import { isJsonObject } from "@app-registry/sdk";
import { continueStream, isEventStream, toStream } from "./eventStream.ts";
import { NO_ANSWER, toLostCallError } from "./upstreamError.ts";

type Fetch = OriginFetch["fetch"];

/** Methods that may have side effects and must not be sent twice. */
const calls = new Set(["tools/call", "resources/read", "prompts/get", "completion/complete"]);

/** Maximum number of concurrent replies to the server's own requests, such as pings. */
const MAX_REPLIES = 8;

/** Minimum time between two requests for a stream that belongs to no request, in milliseconds. */
const STREAM_PAUSE = 10_000;

/** First revision of MCP whose streams can't be resumed. Revisions are ISO dates, so they sort as strings. */
const STATELESS_REVISION = "2026-07-28";

/** JSON-RPC message in a POST of an MCP client. */
type Message = { id?: number | string; method?: string; params?: { requestId?: unknown } };

/** `fetch` for one session of an MCP client. */
type ServerFetch = {
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  /** Ends a request that has its reply or was canceled. */
  end(id: unknown): void;
};

/**
 * Wraps a `fetch` to close gaps in the transports of the MCP client: calls follow no redirects, an HTTP response that
 * ends without a reply is resumed or becomes an error, canceled requests end, and a server can't make the client send or read
 * endlessly.
 *
 * @param onStreamEnd Called when a stream that belongs to no request ends.
 */
export function createServerFetch(fetch: Fetch, onStreamEnd: () => void): ServerFetch {
  const open = new Map<unknown, AbortController>();
  let replies = 0;
  let pause: Promise<unknown> = Promise.resolve();

  const end = (id: unknown): void => open.get(id)?.abort();

  async function request(url: string | URL, init: RequestInit, { id, method = "" }: Message) {
    const ending = new AbortController();
    open.set(id, ending);
    const close = () => void open.delete(id);
    const signal = AbortSignal.any([ending.signal, ...(init.signal ? [init.signal] : [])]);
    const isCall = calls.has(method);
    let wasSent = false;
    const onSent = () => {
      wasSent = true;
    };
    try {
      const redirect = isCall ? "error" : "follow";
      const response = await fetch(url, { ...init, redirect, signal, onSent });
      const { ok, status, headers, body } = response;
      // Replace the status by 200: with 202, which announces no reply, the client would wait for one.
      if (ok && body && isEventStream(headers))
        return new Response(
          toStream(answered(id, body, url, { ...init, signal }), () => ending.abort()),
          { headers },
        );
      const text = await response.text();
      close();
      // Don't check these responses: `server/discover` has its own reader, and with SSE the reply arrives on the
      // stream.
      const accepted = method === "server/discover" ? null : new Headers(init.headers).get("accept");
      const isAwaited = accepted?.includes("text/event-stream") === true;
      if (ok ? !isAwaited : !isCall) return new Response(text || null, response);
      const answer = isAnswer(text, id, ok) ? text : ok && errorAnswer(id);
      if (answer)
        return new Response(answer, {
          headers: { ...Object.fromEntries(headers), "content-type": "application/json" },
        });
      throw new GuardedFetchError("http-status", url, `HTTP ${status}`, { status });
    } catch (error) {
      close();
      throw isCall && wasSent && !signal.aborted ? toLostCallError(error) : error;
    }
  }

  /** Yields the event stream of a request, and an error at its end, which a client that has the reply ignores. */
  async function* answered(
    id: Message["id"],
    body: NonNullable<Response["body"]>,
    url: string | URL,
    { body: _, ...init }: RequestInit & { signal: AbortSignal },
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const headers = new Headers(init.headers);
    headers.delete("content-type");
    headers.set("accept", "text/event-stream");
    const isResumable = (headers.get("mcp-protocol-version") ?? STATELESS_REVISION) < STATELESS_REVISION;
    yield* continueStream(body, init.signal, async (lastId) => {
      if (!isResumable) return new Response(null, { status: 405 });
      headers.set("last-event-id", lastId);
      return fetch(url, { ...init, method: "GET", redirect: "error", headers: Object.fromEntries(headers) });
    });
    open.delete(id);
    yield new TextEncoder().encode(`\n\ndata: ${errorAnswer(id)}\n\n`);
  }

  /** Sends a reply to a request of the server. Drops it if too many are being sent. */
  async function reply(url: string | URL, init: RequestInit): Promise<Response> {
    if (replies >= MAX_REPLIES) return new Response(null, { status: 202 });
    replies += 1;
    try {
      return await fetch(url, init);
    } finally {
      replies -= 1;
    }
  }

  /** Opens a stream that belongs to no request. The pause stops a server from having it reopened continuously. */
  async function listen(url: string | URL, init: RequestInit): Promise<Response> {
    const turn = pause;
    pause = turn.then(() => sleep(STREAM_PAUSE, undefined, { ref: false }));
    await turn;
    const response = await fetch(url, init);
    const { headers, body } = response;
    return body && isEventStream(headers) ? new Response(ended(body, onStreamEnd), response) : response;
  }

  return {
    end,
    async fetch(url, init = {}) {
      if (init.method === "DELETE") return fetch(url, init);
      if (typeof init.body !== "string") return listen(url, init);
      const message = JSON.parse(init.body) as Message;
      if (message.method === undefined) return reply(url, init);
      if (message.id !== undefined) return request(url, init, message);
      if (message.method === "notifications/cancelled") end(message.params?.requestId);
      return fetch(url, init);
    },
  };
}

/** Returns the error reply for a request without a reply. */
const errorAnswer = (id: Message["id"]): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message: NO_ANSWER } });

/** Returns the body of an event stream that tells when it ends, even if it breaks. */
function ended(body: NonNullable<Response["body"]>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (!done) return controller.enqueue(value as Uint8Array);
      controller.close();
      onEnd();
    },
    cancel(reason) {
      onEnd();
      return reader.cancel(reason);
    },
  });
}

/** Returns true if a text is a JSON-RPC reply to a request. Unless the response is `ok`, it has to be an error. */
function isAnswer(text: string, id: Message["id"], ok: boolean): boolean {
  try {
    const message = JSON.parse(text);
    return (
      message.id === id && (typeof message.error?.code === "number" || (ok && isJsonObject(message.result)))
    );
  } catch {
    return false;
  }
}
