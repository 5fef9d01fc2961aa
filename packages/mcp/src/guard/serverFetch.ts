import { setTimeout as sleep } from "node:timers/promises";
import { GuardedFetchError } from "@app-registry/outbound";
import { mediaTypeIn, type OriginFetch } from "@app-registry/outbound/internal";
import { isJsonObject } from "@app-registry/sdk";

type Fetch = OriginFetch["fetch"];

/** Messages that have an effect, which must not be sent a second time. */
const calls = new Set(["tools/call", "resources/read", "prompts/get", "completion/complete"]);

/** Most answers to the server's own requests, such as pings, that are on their way at once. */
const MAX_REPLIES = 8;

/** Least time between two requests for a stream that belongs to no request, in milliseconds. */
const STREAM_PAUSE = 10_000;

/** Error for a request whose HTTP answer ended without a valid answer to it. */
export const NO_ANSWER = "The service sent no valid answer. The request may have been carried out.";

/** What a POST of an MCP client carries. */
type Message = { id?: number | string; method?: string; params?: { requestId?: unknown } };

/** A `fetch` for one session of an MCP client. */
type ServerFetch = {
  fetch: Fetch;
  /** Ends a request that has been answered, or whose answer is no longer wanted. */
  end(id: unknown): void;
};

/**
 * Adds to a `fetch` what the transports of the MCP client leave open: a call follows no redirect, an HTTP answer that ends
 * without an answer to its request becomes an error, a request that is cancelled ends, and a server can't make the client
 * send or read without end.
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
    try {
      const isCall = calls.has(method);
      const redirect = isCall ? "error" : "follow";
      const response = await fetch(url, { ...init, redirect, signal });
      const { ok, status, headers, body } = response;
      // With HTTP 202, which says that no answer follows, the client would wait for one. So all others get HTTP 200.
      if (ok && body && isEventStream(headers))
        return new Response(ended(body, `\n\ndata: ${errorAnswer(id)}\n\n`, close), { headers });
      const text = await response.text();
      close();
      // The sender of `server/discover` reads all there is, and over HTTP with SSE the answer comes by the other stream.
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
      throw error;
    }
  }

  /** Sends an answer to a request of the server, or drops it while many others are on their way. */
  async function reply(url: string | URL, init: RequestInit): Promise<Response> {
    if (replies >= MAX_REPLIES) return new Response(null, { status: 202 });
    replies += 1;
    try {
      return await fetch(url, init);
    } finally {
      replies -= 1;
    }
  }

  /** Opens a stream that belongs to no request. A server can't have it opened again and again. */
  async function listen(url: string | URL, init: RequestInit): Promise<Response> {
    const turn = pause;
    pause = turn.then(() => sleep(STREAM_PAUSE, undefined, { ref: false }));
    await turn;
    const response = await fetch(url, init);
    const { headers, body } = response;
    return body && isEventStream(headers) ? new Response(ended(body, "", onStreamEnd), response) : response;
  }

  return {
    end,
    async fetch(url, init = {}) {
      if (typeof init.body !== "string") return listen(url, init);
      const message = JSON.parse(init.body) as Message;
      if (message.method === undefined) return reply(url, init);
      if (message.id !== undefined) return request(url, init, message);
      if (message.method === "notifications/cancelled") end(message.params?.requestId);
      return fetch(url, init);
    },
  };
}

const isEventStream = (headers: Headers): boolean => mediaTypeIn(headers) === "text/event-stream";

/** Returns the answer to a request that got none. A client that has its answer ignores it. */
const errorAnswer = (id: Message["id"]): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message: NO_ANSWER } });

/** Returns the body of an event stream, with one more event at its end, however it ends. */
function ended(
  body: NonNullable<Response["body"]>,
  lastEvent: string,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (!done) return controller.enqueue(value as Uint8Array);
      controller.enqueue(new TextEncoder().encode(lastEvent));
      controller.close();
      onEnd();
    },
    cancel(reason) {
      onEnd();
      return reader.cancel(reason);
    },
  });
}

/** Returns true if a text is one JSON-RPC message that answers the request with an id: by an error, unless it is `ok`. */
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
