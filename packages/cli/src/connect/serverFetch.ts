import { GuardedFetchError } from "@app-registry/outbound";
import type { OriginFetch } from "@app-registry/outbound/internal";

type Fetch = OriginFetch["fetch"];

/** Messages that have an effect, which must not be sent a second time. */
const calls = new Set(["tools/call", "resources/read", "prompts/get", "completion/complete"]);

/** Most answers to the server's own requests, such as pings, that are on their way at once. */
const MAX_REPLIES = 8;

/** Why a call without an answer ended. */
export const STREAM_ENDED = "The service's answer ended too early. The call may have been carried out.";

/** What a POST of an MCP client carries. */
type Message = { id?: number | string; method?: string; params?: { requestId?: unknown } };

/**
 * Adds to a `fetch` what the transports of the MCP client leave open: a call follows no redirect, a stream that ends
 * without an answer is answered with an error, a request that is cancelled ends, and a server can't make the client send or
 * read without end.
 *
 * @param onStreamEnd Called when a stream that belongs to no request ends.
 */
export function createServerFetch(fetch: Fetch, onStreamEnd: () => void): Fetch {
  const open = new Map<unknown, AbortController>();
  let replies = 0;

  async function request(url: string | URL, init: RequestInit, { id, method = "" }: Message) {
    const ending = new AbortController();
    open.set(id, ending);
    const close = () => void open.delete(id);
    const signal = AbortSignal.any([ending.signal, ...(init.signal ? [init.signal] : [])]);
    try {
      const isCall = calls.has(method);
      const redirect = isCall ? "error" : "follow";
      const response = await fetch(url, { ...init, redirect, signal });
      if (response.ok && isEventStream(response))
        return new Response(ended(response, errorEvent(id), close), response);
      const text = await singleMessage(response);
      close();
      if (response.ok || !isCall) return new Response(text || null, response);
      if (isErrorAnswer(text, id)) return Response.json(JSON.parse(text));
      const { status } = response;
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

  return async (url, init = {}) => {
    if (typeof init.body !== "string") {
      const response = await fetch(url, init);
      return isEventStream(response) ? new Response(ended(response, "", onStreamEnd), response) : response;
    }
    const message = JSON.parse(init.body) as Message;
    if (message.method === undefined) return reply(url, init);
    if (message.id !== undefined) return request(url, init, message);
    if (message.method === "notifications/cancelled") open.get(message.params?.requestId)?.abort();
    return fetch(url, init);
  };
}

const isEventStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true;

/** An event that ends a request whose stream has ended. A client that has its answer ignores it. */
function errorEvent(id: Message["id"]): string {
  const error = { code: -32603, message: STREAM_ENDED };
  return `\n\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, error })}\n\n`;
}

/** Returns the body of an event stream, with one more event at its end, however it ends. */
function ended({ body }: Response, lastEvent: string, onEnd: () => void): ReadableStream<Uint8Array> | null {
  if (!body) return body;
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

/** Returns the text of an answer, unless it is a JSON-RPC batch, whose messages the client would handle in one go. */
async function singleMessage(response: Response): Promise<string> {
  const text = await response.text();
  if (/^\s*\[/.test(text)) throw new Error("The server answered a single request with a batch.");
  return text;
}

/** Returns true if a text is a JSON-RPC error in answer to the request with an id. */
function isErrorAnswer(text: string, id: Message["id"]): boolean {
  try {
    const message = JSON.parse(text);
    return message.id === id && typeof message.error?.code === "number";
  } catch {
    return false;
  }
}
