import { MAX_DOCUMENT_SIZE } from "@app-registry/sdk";
import { fetch as undiciFetch } from "undici";
import { createGuardedDispatcher } from "./guardedDispatcher.ts";
import { GuardedFetchError, readRetryAfter, toGuardedFetchError } from "./guardedFetchError.ts";
import { mediaTypeIn } from "./mediaType.ts";
import { printable } from "./printable.ts";
import { isLoopbackHost } from "./publicAddress.ts";
import { RequestBudget } from "./requestBudget.ts";
import type { ResolveAddresses } from "./resolveAddresses.ts";

export type CreateGuardedFetchOptions = {
  /** Allows loopback hosts, and plain http to them. For local stacks only. Default false. */
  allowLoopback?: boolean;
  /** Milliseconds for name, connection, redirects and the last byte together. Default 5,000. */
  timeout?: number;
  /** Bytes of the body after decompression. Default 1 MiB. */
  maxBytes?: number;
  /** Most redirects to follow. Default 3. */
  maxRedirects?: number;
  userAgent?: string;
  /** Used instead of the name servers of `node:dns`. */
  resolve?: ResolveAddresses;
  /**
   * Told of each request, redirects included: `2xx` and so on by the last status, the code of the GuardedFetchError, or
   * `aborted`; and how many seconds it took until the headers.
   */
  onAnswer?: (outcome: string, seconds: number) => void;
};

export type RedirectOptions = {
  /** Refuses a redirect to another scheme, host or port. Default false. */
  sameOrigin?: boolean;
  /** Called before following a redirect; the request throws what it throws. */
  onRedirect?: (to: URL) => void | Promise<void>;
};

/** Options for fetching one document. */
export type FetchDocumentOptions = RedirectOptions & {
  signal?: AbortSignal;
  /** What to ask for instead of JSON. Then every type of text is read, and other encodings than UTF-8 if it isn't JSON. */
  accept?: string;
};

export type FetchedDocument = {
  /** The body as text, including a byte order mark, so that a strict parser sees it. */
  text: string;
  /** Where it came from, after redirects. */
  url: string;
  contentType: string;
};

/** `fetch` for code that expects one, such as the transports of an MCP client. */
export type FetchLike = (input: string | URL, init?: RequestInit) => Promise<Response>;

type GuardedRequest = (input: string | URL, init?: RequestInit, hops?: RedirectOptions) => Promise<Response>;

export type GuardedFetch = {
  /** A guarded `fetch`. The time and size limits also apply while the body is read. */
  fetch: GuardedRequest;
  /** Fetches one document: status 200, and unless `accept` asks for others, a JSON content type and UTF-8. */
  fetchDocument(url: string | URL, options?: FetchDocumentOptions): Promise<FetchedDocument>;
  /** A `fetch` whose requests, at most 100, share the limits; for protocols of several requests. */
  openSession(): {
    fetch: GuardedRequest;
    /** Aborts when the session is closed or a limit is reached; with a `GuardedFetchError`, except for the time limit. */
    signal: AbortSignal;
    /** Ends the session: requests after it fail. */
    close(): void;
  };
  /** Closes idle connections. */
  close(): Promise<void>;
};

/** Marks our requests, so that such a server never fetches from itself in a loop (RFC 8586). */
export const CDN_LOOP = "app-registry";

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const nullBodyStatuses = new Set([204, 205, 304]);
/** The codings that the Fetch standard offers. Several codings of one answer would be unpacked without limit. */
const contentCodings = /^(identity|gzip|x-gzip|deflate|br)?$/;
/** Headers that callers may set. No credentials are ever sent. */
const allowedHeaders = /^(accept|content-type|if-none-match|last-event-id|a2a-version|mcp-[a-z-]+)$/;

/**
 * Creates the fetcher for everything that strangers name: https only, public unicast addresses only (checked on the
 * address that it connects to), each redirect checked, limited time and size, no credentials.
 * @throws GuardedFetchError from its methods, and from reading a body beyond the limits.
 * @example
 * const guardedFetch = createGuardedFetch({ maxBytes: 65_536 });
 * await guardedFetch.close();
 */
export function createGuardedFetch(options: CreateGuardedFetchOptions = {}): GuardedFetch {
  const { allowLoopback = false, timeout = 5_000, maxBytes = MAX_DOCUMENT_SIZE, maxRedirects = 3 } = options;
  const { onAnswer } = options;
  const userAgent = options.userAgent ?? "app-registry/0.1 (checks DIDs and metadata)";
  const dispatcher = createGuardedDispatcher({
    allowLoopback,
    connectTimeout: timeout,
    resolve: options.resolve,
  });

  const observed = async (...parameters: Parameters<typeof guarded>): ReturnType<typeof guarded> => {
    const startedAt = performance.now();
    const tell = (outcome: string) => onAnswer?.(outcome, (performance.now() - startedAt) / 1_000);
    try {
      const answered = await guarded(...parameters);
      tell(`${Math.floor(answered.response.status / 100)}xx`);
      return answered;
    } catch (error) {
      tell(error instanceof GuardedFetchError ? error.code : "aborted");
      throw error;
    }
  };

  const guarded = async (
    input: string | URL,
    init: RequestInit,
    budget: RequestBudget,
    { sameOrigin = false, onRedirect }: RedirectOptions = {},
  ) => {
    let url = checkUrl(input, allowLoopback);
    let method = (init.method ?? "GET").toUpperCase();
    let body = typeof init.body === "string" ? init.body : undefined;
    const headers = buildRequestHeaders(init.headers, userAgent);
    const signal = AbortSignal.any([budget.signal, ...(init.signal ? [init.signal] : [])]);

    for (let redirects = 0; ; redirects++) {
      budget.takeRequest(url);
      const response = await undiciFetch(url, {
        method,
        headers,
        signal,
        dispatcher,
        redirect: "manual",
        credentials: "omit",
        ...(body === undefined ? {} : { body }),
      }).catch((error: unknown) => {
        throw budget.signal.aborted
          ? budget.cutOff(url, error)
          : init.signal?.aborted
            ? error
            : toGuardedFetchError(error, url);
      });
      const refusal = findResponseProblem(response, url);
      if (refusal) {
        await discard(response);
        throw refusal;
      }
      const location = response.headers.get("location");
      if (!redirectStatuses.has(response.status) || location === null || init.redirect === "manual") {
        return { response: withLimits(response, url, budget), url };
      }
      await discard(response);
      if (redirects === maxRedirects) {
        throw new GuardedFetchError(
          "too-many-redirects",
          url,
          `${url.host} redirects more than ${maxRedirects} times.`,
        );
      }
      const next = checkUrl(
        URL.canParse(location, url.href) ? new URL(location, url) : location,
        allowLoopback,
      );
      if (sameOrigin && next.origin !== url.origin) {
        const message = `${url.href} redirects to another host (${next.origin}). Serve it from ${url.origin} directly.`;
        throw new GuardedFetchError("redirect-not-allowed", url, message);
      }
      await onRedirect?.(next);
      if (response.status === 303 || (method === "POST" && response.status < 303)) {
        method = "GET";
        body = undefined;
        delete headers["content-type"];
      }
      url = next;
    }
  };

  return {
    async fetch(input, init = {}, hops = {}) {
      return (await observed(input, init, new RequestBudget(timeout, maxBytes), hops)).response;
    },
    async fetchDocument(input, { signal, accept, ...hops } = {}) {
      const headers = { accept: accept ?? "application/json, application/*+json;q=0.9" };
      const budget = new RequestBudget(timeout, maxBytes);
      try {
        const init = signal ? { headers, signal } : { headers };
        const { response, url } = await observed(input, init, budget, hops);
        const contentType = assertDocumentResponse(
          response,
          url,
          accept === undefined ? jsonTypes : textTypes,
        );
        return { text: await readText(response, url, contentType), url: url.href, contentType };
      } finally {
        budget.end();
      }
    },
    openSession() {
      const budget = new RequestBudget(timeout, maxBytes);
      return {
        fetch: async (input, init = {}, hops = {}) => (await observed(input, init, budget, hops)).response,
        signal: budget.signal,
        close: () => budget.end(),
      };
    },
    close: () => dispatcher.close(),
  };
}

export function checkUrl(input: string | URL, allowLoopback: boolean): URL {
  if (!URL.canParse(String(input))) {
    const message = `"${printable(String(input), 300)}" is not a URL.`;
    throw new GuardedFetchError("url-not-allowed", input, message);
  }
  const url = new URL(input);
  if (url.username !== "" || url.password !== "") {
    throw new GuardedFetchError(
      "url-not-allowed",
      url.origin,
      "URLs with a user name or password are not allowed.",
    );
  }
  // A name below localhost is checked again by the address that it resolves to.
  const loopbackHttp = allowLoopback && url.protocol === "http:" && isLoopbackHost(url.hostname);
  if (url.protocol !== "https:" && !loopbackHttp) {
    throw new GuardedFetchError(
      "url-not-allowed",
      url,
      `Only https URLs are allowed. This one starts with ${url.protocol}//`,
    );
  }
  url.hash = "";
  return url;
}

function buildRequestHeaders(given: RequestInit["headers"], userAgent: string): Record<string, string> {
  const headers: Record<string, string> = {};
  new Headers(given).forEach((value, name) => {
    if (allowedHeaders.test(name)) headers[name] = value;
  });
  return { ...headers, "user-agent": userAgent, "cdn-loop": CDN_LOOP };
}

type Answer = Awaited<ReturnType<typeof undiciFetch>>;

/** Why an answer must not be read, whatever the request. */
function findResponseProblem({ status, headers }: Answer, url: URL): GuardedFetchError | undefined {
  // Counts as a failure of the server (RFC 9110, section 15).
  if (status > 599) {
    const message = `${url.href} returned an invalid HTTP status, ${status}.`;
    return new GuardedFetchError("http-status", url, message, { status });
  }
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (contentCodings.test(coding)) return undefined;
  const message = `${url.href} is encoded as ${printable(coding)}. Only gzip, deflate, br or no encoding is accepted, applied once.`;
  return new GuardedFetchError("content-encoding", url, message);
}

/** Discards an answer that is not read, and ignores its errors. */
async function discard({ body }: Answer): Promise<void> {
  await body?.cancel().catch(() => undefined);
}

/** Returns the answer with a body that fails once the budget is used up. */
function withLimits(response: Answer, url: URL, budget: RequestBudget): Response {
  // No reason phrase: it means nothing (RFC 9112, section 4), and a Response refuses some of them.
  const init = { status: response.status, headers: [...response.headers] };
  const source = response.body;
  if (!source || nullBodyStatuses.has(response.status)) return new Response(null, init);
  const reader = source.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        budget.takeBytes(value.byteLength, url);
        controller.enqueue(value);
      } catch (error) {
        controller.error(budget.signal.aborted ? budget.cutOff(url, error) : toGuardedFetchError(error, url));
        await reader.cancel().catch(() => undefined);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, init);
}

const jsonTypes = /^(application|text)\/json$|^application\/[a-z0-9.+-]+\+json$/;
/** What may hold a document or a page: not a stream of events, which has no end. */
const textTypes = /^$|^text\/(?!event-stream$)|json$|yaml$|xml$|^application\/octet-stream$/;

function assertDocumentResponse(response: Response, url: URL, types: RegExp): string {
  if (response.status !== 200) {
    const message = `${url.href} returned HTTP ${response.status} instead of 200.`;
    const retryAfter = readRetryAfter(response.headers.get("retry-after"));
    throw new GuardedFetchError("http-status", url, message, { status: response.status, retryAfter });
  }
  const contentType = mediaTypeIn(response.headers);
  if (!types.test(contentType)) {
    const served = contentType === "" ? "without a content type" : `as ${printable(contentType)}`;
    const expected = types === jsonTypes ? "it must be application/json" : "it must be a document or a page";
    const message = `${url.href} is served ${served}; ${expected}.`;
    throw new GuardedFetchError("content-type", url, message);
  }
  return contentType;
}

async function readText(response: Response, url: URL, contentType: string): Promise<string> {
  const bytes = await response.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    if (!/^text\/(?!json$)/.test(contentType)) {
      throw new GuardedFetchError("not-utf8", url, `${url.href} is not valid UTF-8 text.`, { cause });
    }
    return decodeText(bytes, response.headers.get("content-type") ?? "");
  }
}

/** By the charset that is named, else as browsers read a page that names none. */
function decodeText(bytes: ArrayBuffer, contentType: string): string {
  const [, label = "windows-1252"] = /charset="?([\w-]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
