import { setTimeout as sleep } from "node:timers/promises";
import { GuardedFetchError } from "@app-registry/outbound";
import { mediaTypeIn, type OriginFetch, STATELESS_REVISION } from "@app-registry/outbound/internal";
import { isJsonObject } from "@app-registry/sdk";
import { NO_ANSWER, toLostCallError } from "./upstreamError.ts";

/** Shortest, usual and longest pause before a stream is resumed, in milliseconds. */
const MIN_PAUSE = 500;
const USUAL_PAUSE = 1_000;
const MAX_PAUSE = 3_600_000;

/** Maximum number of attempts in a row to resume a stream that bring no new event. */
const MAX_ATTEMPTS = 5;

/** Maximum length of a line that is read, in characters. Longer lines are data. */
const MAX_LINE = 1_024;

/** Statuses after which a stream may still be resumed. */
const passing = new Set([408, 409, 429, 500, 502, 503, 504]);

type Body = NonNullable<Response["body"]>;

const isEventStream = (headers: Headers): boolean => mediaTypeIn(headers) === "text/event-stream";

/**
 * Yields an event stream, and continues it with the streams that `resume` returns for the id of the last event (MCP
 * 2025-11-25, resumability). Ends if the stream has no ids, can't be resumed, or brings nothing new. Never throws.
 *
 * @param signal Ends the stream.
 * @param resume Requests the stream after an event.
 */
async function* continueStream(
  body: Body,
  signal: AbortSignal,
  resume: (lastId: string) => Promise<Response>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let current: Body | null = body;
  const position = createPosition();
  for (let attempts = 0; ; attempts += 1) {
    const { lastId } = position;
    if (current) yield* readAll(current, position.read);
    if (position.lastId !== lastId) attempts = 0;
    if (position.lastId === undefined || attempts === MAX_ATTEMPTS) return;
    const pause = position.retry ?? USUAL_PAUSE * 2 ** attempts;
    const isWaiting = await sleep(Math.min(Math.max(pause, MIN_PAUSE), MAX_PAUSE), true, {
      signal,
      ref: false,
    }).catch(() => false);
    if (!isWaiting) return;
    const response = await resume(position.lastId).catch(() => undefined);
    current = response?.ok && isEventStream(response.headers) ? response.body : null;
    if (response && !current) await response.body?.cancel().catch(() => undefined);
    if (signal.aborted || (response && !current && !passing.has(response.status))) return;
    position.restart();
  }
}

/** Yields the chunks of a body, up to its end or its failure. */
async function* readAll(
  body: Body,
  onChunk: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || value === undefined) return;
    onChunk(value);
    yield value;
  }
}

/** Reads the ids and the pause of an event stream (HTML standard, server-sent events). */
function createPosition() {
  let decoder = new TextDecoder();
  let line = "";
  let endsWithCr = false;
  let eventId: string | undefined;
  const position = {
    /** Id of the last complete event, if it can be sent in a header. */
    lastId: undefined as string | undefined,
    /** Pause before the stream is resumed, in milliseconds, if the server has set one. */
    retry: undefined as number | undefined,
    read(chunk: Uint8Array): void {
      let text = decoder.decode(chunk, { stream: true });
      if (endsWithCr && text.startsWith("\n")) text = text.slice(1);
      if (text === "") return;
      endsWithCr = text.endsWith("\r");
      const [first = "", ...rest] = text.split(/\r\n|\r|\n/);
      line = (line + first.slice(0, MAX_LINE + 1)).slice(0, MAX_LINE + 1);
      for (const next of rest) {
        endLine();
        line = next.slice(0, MAX_LINE + 1);
      }
    },
    /** Prepares for the next stream. The rest of the last one is void. */
    restart(): void {
      decoder = new TextDecoder();
      [line, endsWithCr, eventId] = ["", false, undefined];
    },
  };

  function endLine(): void {
    if (line === "") {
      position.lastId = eventId ?? position.lastId;
      eventId = undefined;
      return;
    }
    const [, field, value = ""] = /^(id|retry)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === "id" && line.length <= MAX_LINE && /^[\x20-\x7e]+$/.test(value)) eventId = value;
    if (field === "retry" && /^\d{1,10}$/.test(value)) position.retry = Number(value);
  }

  return position;
}

/** Returns a stream of chunks. Canceling it calls `onCancel`. */
function toStream(chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>, onCancel: () => void): Body {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => onCancel(),
  });
}

type Fetch = OriginFetch["fetch"];

/** Methods that may have side effects and must not be sent twice. */
const calls = new Set(["tools/call", "resources/read", "prompts/get", "completion/complete"]);

/** Maximum number of concurrent replies to the server's own requests, such as pings. */
const MAX_REPLIES = 8;

/** Minimum time between two requests for a stream that belongs to no request, in milliseconds. */
const STREAM_PAUSE = 10_000;

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
    // Revisions are ISO dates, so they sort as strings.
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
