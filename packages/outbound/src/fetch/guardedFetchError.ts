import { AppRegistryError, isVisible } from "@app-registry/sdk";
import { isTransientStatus, limitMarks } from "@app-registry/sdk/internal";

/** Stable error code of a failed outbound request. */
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

/** Codes of temporary failures. The same request may succeed later. */
const retryableCodes: ReadonlySet<GuardedFetchErrorCode> = new Set([
  "name-not-found",
  "unreachable",
  "timeout",
]);

/** Error of an outbound request that was rejected or failed, with a message for the operator of the host. */
export class GuardedFetchError extends AppRegistryError {
  override readonly name = "GuardedFetchError";
  readonly code: GuardedFetchErrorCode;
  readonly url: string;
  /** HTTP status of the response, if there was one. */
  readonly status: number | undefined;
  /** Seconds until the host accepts another request (`Retry-After`, RFC 9110), if it sent the header. */
  readonly retryAfter: number | undefined;

  constructor(
    code: GuardedFetchErrorCode,
    url: string | URL,
    message: string,
    options: { cause?: unknown; status?: number | undefined; retryAfter?: number | undefined } = {},
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

/** Creates the error for a document or response that exceeds a size limit, in bytes. */
export const tooLargeError = (url: string | URL, maxBytes: number): GuardedFetchError =>
  new GuardedFetchError("too-large", url, `${url} is larger than ${maxBytes.toLocaleString("en")} bytes.`);

/** Returns the first `GuardedFetchError` among an error and its causes. */
export function findGuardedFetchError(error: unknown): GuardedFetchError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof GuardedFetchError) return cause;
  }
  return undefined;
}

/** Converts an error of undici, node:net, node:tls or node:dns to a `GuardedFetchError`. */
export function toGuardedFetchError(error: unknown, url: URL): GuardedFetchError {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof GuardedFetchError) return cause;
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    // undici has no error code for the blocked ports of the Fetch standard.
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

const selfSigned = "is self-signed or from a private authority. Get one from a public certificate authority";
const incomplete =
  "doesn't lead to a trusted certificate authority. Serve the full chain, including intermediate certificates";

/** Descriptions of certificate problems, by the error codes of OpenSSL and Node.js. */
const certificateProblems: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT: incomplete,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: incomplete,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: incomplete,
  CERT_HAS_EXPIRED: "has expired. Renew it",
  CERT_NOT_YET_VALID: "is not valid yet. Check its dates and the server's clock",
  ERR_TLS_CERT_ALTNAME_INVALID: "was issued for a different host name. Get one for this name",
  CERT_REVOKED: "has been revoked. Replace it",
};

/** Explains a TLS failure to the operator of the host. Returns `undefined` if the error has another cause. */
function explainTlsError(code: string, host: string): string | undefined {
  const problem = certificateProblems[code];
  if (problem !== undefined) return `The HTTPS certificate of ${host} ${problem} (${code}).`;
  if (/^EPROTO$|^ERR_SSL_/.test(code)) {
    return `${host} doesn't support HTTPS on that port, or only an outdated TLS version (${code}).`;
  }
  if (/CERT|TLS|SSL|UNABLE_TO_/.test(code)) return `The HTTPS certificate of ${host} was rejected (${code}).`;
  return undefined;
}

export function timeoutError(url: URL, cause?: unknown): GuardedFetchError {
  const message = `${url.host} did not finish responding in time.`;
  return new GuardedFetchError("timeout", url, message, { cause });
}

/** Reads the delay of a `Retry-After` header (seconds or a date, RFC 9110), in seconds. */
export function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), Number.MAX_SAFE_INTEGER);
}

/**
 * Makes an untrusted text safe to display: truncates it to `max` characters, escapes control characters and invisible
 * characters, and replaces stacked marks.
 */
export function printable(text: string, max = 100): string {
  const escaped = Array.from(limitMarks(text.slice(0, max)), (character) =>
    isVisible(character) && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(character)
      ? character
      : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  ).join("");
  return text.length > max || escaped.length > max ? `${escaped.slice(0, max)}…` : escaped;
}
