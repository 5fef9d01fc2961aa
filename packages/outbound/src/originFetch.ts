import { fetch as undiciFetch } from "undici";
import { createGuardedDispatcher } from "./guardedDispatcher.ts";
import { CDN_LOOP, checkUrl, type FetchLike } from "./guardedFetch.ts";
import { GuardedFetchError, toGuardedFetchError } from "./guardedFetchError.ts";
import { mediaTypeIn } from "./mediaType.ts";

/** A `fetch` for one origin, as long as its user likes. */
export type OriginFetch = { fetch: FetchLike; close(): Promise<void> };

/** Most redirects to follow. */
const MAX_REDIRECTS = 3;

/** Bytes of one answer, or of one event of a stream, which may have any number. */
const MAX_BYTES = 8 * 1024 * 1024;

/** How long an answer may take to begin and may then be silent, in milliseconds. */
const MAX_SILENCE = 3_600_000;

/** Most connections at once: a call may hold one for as long as it takes. */
const MAX_CONNECTIONS = 256;

/**
 * Creates a `fetch` that sends a user's own headers, credentials too, to one origin and to nobody else: another URL, and a
 * redirect to one, is refused. Only public unicast addresses are asked. Answers may go on for hours, so only their parts are
 * limited. It never sends a request a second time, except where it follows a redirect. With `redirect: "error"` it follows
 * none; such a request goes to where the last request to its URL that may follow one ended.
 *
 * @param url An address of that origin: https, or with `allowLoopback` http on this machine.
 * @throws {GuardedFetchError} from its `fetch`, `redirect-not-allowed` for another origin; and from reading a body beyond
 * the limits.
 */
export function createOriginFetch(
  url: string,
  {
    headers: own = {},
    allowLoopback = false,
    userAgent,
  }: { headers?: Record<string, string>; allowLoopback?: boolean; userAgent: string },
): OriginFetch {
  const { origin } = checkUrl(url, allowLoopback);
  const dispatcher = createGuardedDispatcher({
    allowLoopback,
    connectTimeout: 10_000,
    connections: MAX_CONNECTIONS,
    maxSilence: MAX_SILENCE,
  });
  /** Where requests to a URL end. */
  const moved = new Map<string, URL>();

  const within = (input: string | URL): URL => {
    const asked = checkUrl(input, allowLoopback);
    if (asked.origin === origin) return asked;
    const message = `Request to ${asked.origin} blocked: the registered endpoint is at ${origin}.`;
    throw new GuardedFetchError("redirect-not-allowed", asked, message);
  };

  return {
    async fetch(input, init = {}) {
      const given = within(input);
      const isFinal = init.redirect === "error";
      let asked = isFinal ? (moved.get(given.href) ?? given) : given;
      const body = typeof init.body === "string" ? Buffer.from(init.body) : undefined;
      const headers = { ...Object.fromEntries(new Headers(init.headers)), ...own };
      for (let redirects = 0; ; redirects++) {
        const response = await undiciFetch(asked, {
          ...(init.method !== undefined && { method: init.method }),
          ...(body && { body: once(body), duplex: "half" }),
          headers: {
            ...(body && { "content-length": String(body.length) }),
            ...headers,
            "user-agent": userAgent,
            "cdn-loop": CDN_LOOP,
          },
          signal: init.signal ?? null,
          dispatcher,
          redirect: "manual",
        }).catch((error: unknown) => {
          throw init.signal?.aborted ? error : toGuardedFetchError(error, asked);
        });
        const location = response.headers.get("location");
        if (isFinal && location !== null && [301, 302, 303, 307, 308].includes(response.status)) {
          await response.body?.cancel();
          const message = `${asked.host} answered with a redirect, which is not followed for a call.`;
          throw new GuardedFetchError("redirect-not-allowed", asked, message);
        }
        // Only these keep the request as it is.
        if (![307, 308].includes(response.status) || location === null) {
          if (!isFinal) moved.set(given.href, asked);
          return limitBody(response, asked);
        }
        await response.body?.cancel();
        if (redirects === MAX_REDIRECTS) {
          const message = `${asked.host} redirects more than ${MAX_REDIRECTS} times.`;
          throw new GuardedFetchError("too-many-redirects", asked, message);
        }
        asked = within(URL.canParse(location, asked.href) ? new URL(location, asked) : location);
      }
    },
    close: () => dispatcher.close(),
  };
}

/** Returns a body that can be read once, because `fetch` repeats a request with another one after HTTP 421. */
function once(body: Buffer): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: "bytes",
    start(controller) {
      controller.enqueue(new Uint8Array(body));
      controller.close();
    },
  });
}

function limitBody(response: Awaited<ReturnType<typeof undiciFetch>>, url: URL): Response {
  const { status, body } = response;
  const headers = [...response.headers] as [string, string][];
  if (!body || [204, 205, 304].includes(status)) return new Response(null, { status, headers });
  const isStream = mediaTypeIn(response.headers) === "text/event-stream";
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) {
        const message = `${url.href} sends more than ${MAX_BYTES.toLocaleString("en")} bytes at once.`;
        throw new GuardedFetchError("too-large", url, message);
      }
      // An empty line ends an event.
      if (isStream && /\n\r?\n|\r\r/.test(Buffer.from(chunk).toString("latin1"))) bytes = 0;
      controller.enqueue(chunk);
    },
  });
  return new Response((body as ReadableStream<Uint8Array>).pipeThrough(limit), { status, headers });
}
