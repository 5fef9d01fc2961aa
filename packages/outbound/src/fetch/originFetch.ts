import { type Agent, fetch as undiciFetch } from "undici";
import { createGuardedDispatcher } from "./guardedDispatcher.ts";
import { CDN_LOOP, checkUrl, MAX_REDIRECTS, nullBodyStatuses, redirectStatuses } from "./guardedFetch.ts";
import { GuardedFetchError, toGuardedFetchError } from "./guardedFetchError.ts";
import { mediaTypeIn } from "./hosts.ts";

/** `fetch` for one origin, until it is closed. */
export type OriginFetch = {
  /** @param init.onSent Called when the body of the request leaves. */
  fetch(input: string | URL, init?: RequestInit & { onSent?: () => void }): Promise<Response>;
  close(): Promise<void>;
};

/** Maximum size of one response, or of one event of a stream, in bytes. The number of events is not limited. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Time limit for the headers and between chunks of the body, in milliseconds. */
const MAX_SILENCE = 3_600_000;

/** Maximum number of connections for requests that follow redirects, and for the others. Each running call uses one. */
const MAX_CONNECTIONS = 256;

/**
 * Creates a `fetch` that sends a user's own headers, including credentials, to one origin only. It rejects other URLs,
 * redirects to them, and addresses that are not public unicast. Responses may last for hours, so the limits apply to
 * each event or body. It never resends a request, except to follow a redirect. With `redirect: "error"` it follows
 * none, and sends the request to the final URL of the last request to the same URL that followed redirects. Such
 * requests have connections of their own, so that long ones don't delay the others.
 *
 * @param url URL of the origin: https, or with `allowLoopback` http to this machine.
 * @throws {GuardedFetchError} from its `fetch`, `redirect-not-allowed` for another origin; and while a body beyond the
 * limits is read.
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
  const [following, final] = [1, 2].map(() =>
    createGuardedDispatcher({
      allowLoopback,
      connectTimeout: 10_000,
      connections: MAX_CONNECTIONS,
      maxSilence: MAX_SILENCE,
    }),
  ) as [Agent, Agent];
  /** Final URLs after redirects, by requested URL. */
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
          ...(body && { body: once(body, init.onSent), duplex: "half" }),
          headers: {
            ...(body && { "content-length": String(body.length) }),
            ...headers,
            "user-agent": userAgent,
            "cdn-loop": CDN_LOOP,
          },
          signal: init.signal ?? null,
          dispatcher: isFinal ? final : following,
          redirect: "manual",
        }).catch((error: unknown) => {
          throw init.signal?.aborted ? error : toGuardedFetchError(error, asked);
        });
        const location = response.headers.get("location");
        if (isFinal && location !== null && redirectStatuses.has(response.status)) {
          await response.body?.cancel();
          const message = `${asked.host} answered with a redirect, which is not followed for a call.`;
          throw new GuardedFetchError("redirect-not-allowed", asked, message);
        }
        // Follow only 307 and 308: other redirects may change the method and drop the body.
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
    async close() {
      await Promise.all([following.close(), final.close()]);
    },
  };
}

/** Returns a body that can be read only once, so that `fetch` can't resend the request after HTTP 421. */
function once(body: Buffer, onRead: () => void = () => undefined): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      onRead();
      controller.enqueue(new Uint8Array(body));
      controller.close();
    },
  });
}

function limitBody(response: Awaited<ReturnType<typeof undiciFetch>>, url: URL): Response {
  const { status, body } = response;
  const headers = [...response.headers] as [string, string][];
  if (!body || nullBodyStatuses.has(status)) return new Response(null, { status, headers });
  const isStream = mediaTypeIn(response.headers) === "text/event-stream";
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) {
        const message = `${url.href} sends more than ${MAX_BYTES.toLocaleString("en")} bytes at once.`;
        throw new GuardedFetchError("too-large", url, message);
      }
      // Reset the count at an empty line, which ends an event.
      if (isStream && /\n\r?\n|\r\r/.test(Buffer.from(chunk).toString("latin1"))) bytes = 0;
      controller.enqueue(chunk);
    },
  });
  return new Response((body as ReadableStream<Uint8Array>).pipeThrough(limit), { status, headers });
}
