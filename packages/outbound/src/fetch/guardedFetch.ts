import { MAX_DOCUMENT_SIZE } from "@app-registry/sdk";
import { fetch as undiciFetch } from "undici";
import { createGuardedDispatcher, RequestBudget } from "./guardedDispatcher.ts";
import { GuardedFetchError, printable, readRetryAfter, toGuardedFetchError } from "./guardedFetchError.ts";
import { isLoopbackHost, mediaTypeIn, type ResolveAddresses } from "./hosts.ts";

export type CreateGuardedFetchOptions = {
  /** Allows loopback hosts, and plain http for them. Only for local development. Default false. */
  allowLoopback?: boolean;
  /**
   * Time limit for a request from name resolution to the last byte, redirects included, in milliseconds. Default 5,000.
   */
  timeout?: number;
  /** Maximum size of the decompressed body, in bytes. Default 1 MiB. */
  maxBytes?: number;
  userAgent?: string;
  /** Resolver to use instead of `node:dns`. */
  resolve?: ResolveAddresses;
  /**
   * Called once per request, which includes its redirects. `outcome` is the class of the last status (such as `2xx`),
   * the code of the `GuardedFetchError`, or `aborted`. `seconds` is the time until the headers arrived.
   */
  onAnswer?: (outcome: string, seconds: number) => void;
};

export type RedirectOptions = {
  /** Rejects redirects to another scheme, host or port. Default false. */
  sameOrigin?: boolean;
  /** Called before each redirect is followed. An error that it throws rejects the request. */
  onRedirect?: (to: URL) => void | Promise<void>;
};

export type FetchDocumentOptions = RedirectOptions & {
  signal?: AbortSignal;
  /** `Accept` header to send instead of JSON. Then any text type is read, in any encoding unless it is JSON. */
  accept?: string;
  /** Maximum size of this document, in bytes, instead of the fetcher's. */
  maxBytes?: number;
};

export type FetchedDocument = {
  /** Body as text. It includes a byte order mark, so that a strict parser can reject it. */
  text: string;
  /** URL of the document after redirects. */
  url: string;
  contentType: string;
};

/** Type of `fetch` that libraries such as an MCP client's transports accept. */
export type FetchLike = (input: string | URL, init?: RequestInit) => Promise<Response>;

type GuardedRequest = (input: string | URL, init?: RequestInit, hops?: RedirectOptions) => Promise<Response>;

export type GuardedFetch = {
  /** Guarded `fetch`. The limits on time and size also apply while the body is read. */
  fetch: GuardedRequest;
  /** Fetches one document. Requires status 200 and, unless `accept` is set, a JSON content type and UTF-8. */
  fetchDocument(url: string | URL, options?: FetchDocumentOptions): Promise<FetchedDocument>;
  /** Opens a session for protocols with several requests: at most 100, which share the limits. */
  openSession(): {
    fetch: GuardedRequest;
    /** Aborts when the session ends or reaches a limit, with a `GuardedFetchError` unless it is the time limit. */
    signal: AbortSignal;
    /** Ends the session. Later requests fail. */
    close(): void;
  };
  close(): Promise<void>;
};

/** Value of the `CDN-Loop` header (RFC 8586), which stops a registry server from fetching from itself in a loop. */
export const CDN_LOOP = "app-registry";

/** Maximum number of redirects to follow. */
export const MAX_REDIRECTS = 3;

export const redirectStatuses = new Set([301, 302, 303, 307, 308]);
export const nullBodyStatuses = new Set([204, 205, 304]);
/**
 * Allowed content codings: one of those in the Fetch standard. Nested codings would be decompressed without a limit.
 */
const contentCodings = /^(identity|gzip|x-gzip|deflate|br)?$/;
/** Headers that callers may set. Credentials are not among them. */
const allowedHeaders = /^(accept|content-type|if-none-match|last-event-id|a2a-version|mcp-[a-z-]+)$/;

/**
 * Creates a fetcher for untrusted URLs. It allows only https and public unicast addresses (checked on the address that
 * it connects to), checks each redirect, limits time and size, and sends no credentials.
 * @throws {GuardedFetchError} from its methods, and while a body beyond the limits is read.
 * @example
 * const guardedFetch = createGuardedFetch({ maxBytes: 65_536 });
 * await guardedFetch.close();
 */
export function createGuardedFetch(options: CreateGuardedFetchOptions = {}): GuardedFetch {
  const { allowLoopback = false, timeout = 5_000, maxBytes = MAX_DOCUMENT_SIZE } = options;
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
      if (redirects === MAX_REDIRECTS) {
        throw new GuardedFetchError(
          "too-many-redirects",
          url,
          `${url.host} redirects more than ${MAX_REDIRECTS} times.`,
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
    async fetchDocument(input, { signal, accept, maxBytes: most = maxBytes, ...hops } = {}) {
      const headers = { accept: accept ?? "application/json, application/did, application/*+json;q=0.9" };
      const budget = new RequestBudget(timeout, most);
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
  // A name below localhost passes here. The dispatcher checks the address that it resolves to.
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

/** Returns the error for a response that must not be read, or `undefined` if it may be. */
function findResponseProblem({ status, headers }: Answer, url: URL): GuardedFetchError | undefined {
  // Treat an invalid status as a server error, as RFC 9110, section 15, recommends.
  if (status > 599) {
    const message = `${url.href} returned an invalid HTTP status, ${status}.`;
    return new GuardedFetchError("http-status", url, message, { status });
  }
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (contentCodings.test(coding)) return undefined;
  const message = `${url.href} is encoded as ${printable(coding)}. Only gzip, deflate, br or no encoding is accepted, applied once.`;
  return new GuardedFetchError("content-encoding", url, message);
}

/** Discards the body of a response. Ignores its errors. */
async function discard({ body }: Answer): Promise<void> {
  await body?.cancel().catch(() => undefined);
}

/** Returns the response with a body that fails once the budget is used up. */
function withLimits(response: Answer, url: URL, budget: RequestBudget): Response {
  // Omit the reason phrase: clients must ignore it (RFC 9112, section 4), and `Response` throws for some.
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

/** JSON, and DID documents: application/did of DID 1.1, and +json types of DID 1.0. */
const jsonTypes = /^(application|text)\/json$|^application\/(did|[a-z0-9.+-]+\+json)$/;
/** Content types that may contain a document or a page. Excludes event streams, which have no end. */
const textTypes =
  /^$|^text\/(?!event-stream$)|json$|javascript$|ya?ml$|xml$|graphql$|^(?:application|binary)\/octet-stream$|^application\/vnd\.oai\.openapi$/;

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

/** Decodes a body with the charset of its content type. Defaults to windows-1252, as browsers do. */
function decodeText(bytes: ArrayBuffer, contentType: string): string {
  const [, label = "windows-1252"] = /charset="?([\w-]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
