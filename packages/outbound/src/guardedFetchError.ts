import { AppRegistryError } from "@app-registry/sdk";
import { isTransientStatus } from "@app-registry/sdk/internal";
import { explainTlsError } from "./explainTlsError.ts";

/** Stable code for what went wrong with an outbound request. */
export type GuardedFetchErrorCode =
  | "url-not-allowed"
  | "address-not-public"
  | "name-not-found"
  | "unreachable"
  | "tls-failed"
  | "timeout"
  | "too-large"
  | "too-many-redirects"
  | "too-many-requests"
  | "robots-disallowed"
  | "redirect-not-allowed"
  | "http-status"
  | "content-type"
  | "content-encoding"
  | "not-utf8";

/** Causes that may pass without a change: the same request may succeed later. */
const retryableCodes: ReadonlySet<GuardedFetchErrorCode> = new Set([
  "name-not-found",
  "unreachable",
  "timeout",
]);

/** A request that was refused or failed, with a message for the person who runs the host. */
export class GuardedFetchError extends AppRegistryError {
  override readonly name = "GuardedFetchError";
  readonly code: GuardedFetchErrorCode;
  readonly url: string;
  /** HTTP status of the answer, if there was one. */
  readonly status: number | undefined;
  /** Seconds after which the host allows another request (`Retry-After`, RFC 9110), if it said so. */
  readonly retryAfter: number | undefined;

  constructor(
    code: GuardedFetchErrorCode,
    url: string | URL,
    message: string,
    options: { cause?: unknown; status?: number; retryAfter?: number | undefined } = {},
  ) {
    const { cause, status, retryAfter } = options;
    const retryable = retryableCodes.has(code) || (status !== undefined && isTransientStatus(status));
    super(message, { cause, retryable, docsPath: "/issuer#outbound-requests" });
    this.code = code;
    this.url = String(url);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** The error of a request among the causes of another one. */
export function findGuardedFetchError(error: unknown): GuardedFetchError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof GuardedFetchError) return cause;
  }
  return undefined;
}

/** Turns whatever undici, node:net, node:tls or node:dns threw into a `GuardedFetchError`. */
export function toGuardedFetchError(error: unknown, url: URL): GuardedFetchError {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof GuardedFetchError) return cause;
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    // The Fetch standard's list of blocked ports; undici gives it no code.
    if (cause.message === "bad port") {
      const message = `Port ${url.port} is reserved for a protocol other than HTTP. Use another port.`;
      return new GuardedFetchError("url-not-allowed", url, message, { cause });
    }
    const known = fromSystemCode(code, url, cause);
    if (known) return known;
    if (cause instanceof AggregateError && cause.errors.length > 0) {
      return toGuardedFetchError(cause.errors[0], url);
    }
  }
  return new GuardedFetchError("unreachable", url, `Couldn't reach ${url.host}.`, { cause: error });
}

function fromSystemCode(code: string, url: URL, cause: Error): GuardedFetchError | undefined {
  if (code === "ECONNREFUSED") {
    const message = `${url.host} refused the connection. Is the server running on that port?`;
    return new GuardedFetchError("unreachable", url, message, { cause });
  }
  if (code === "ECONNRESET" || code === "UND_ERR_SOCKET" || code === "EPIPE") {
    const message = `${url.host} closed the connection before responding.`;
    return new GuardedFetchError("unreachable", url, message, { cause });
  }
  if (/^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$|^ETIMEDOUT$/.test(code)) return timeoutError(url, cause);
  const problem = explainTlsError(code, url.host);
  if (problem !== undefined) return new GuardedFetchError("tls-failed", url, problem, { cause });
  return undefined;
}

export function timeoutError(url: URL, cause?: unknown): GuardedFetchError {
  const message = `${url.host} did not finish responding in time.`;
  return new GuardedFetchError("timeout", url, message, { cause });
}

/** Seconds to wait: the header has seconds or a date (RFC 9110). */
export function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), Number.MAX_SAFE_INTEGER);
}
