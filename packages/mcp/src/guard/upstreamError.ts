import type { GuardedFetchErrorCode } from "@app-registry/outbound";
import { findGuardedFetchError, listHttpStatus, McpHandshakeError } from "@app-registry/outbound/internal";
import { AppRegistryError, isVisible } from "@app-registry/sdk";
import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from "@modelcontextprotocol/server";

const MAY_BE_DONE = "The request may have been carried out.";

/** Error message for a request whose HTTP response ended without a valid reply. */
export const NO_ANSWER = `The service sent no valid answer. ${MAY_BE_DONE}`;

/** Codes of errors of the MCP client for requests that left. */
const sentCodes: ReadonlySet<unknown> = new Set([
  SdkErrorCode.RequestTimeout,
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
]);

/** Maximum length of a quoted text of a server, in characters. */
const MAX_WORDS = 1_000;

/** Codes of failed requests whose messages contain nothing that a server chose. */
const ownWords: ReadonlySet<GuardedFetchErrorCode> = new Set([
  "name-not-found",
  "address-not-public",
  "unreachable",
  "tls-failed",
  "timeout",
]);

/** Error of the guarded server, with a message that is safe to show to a model and on a terminal. */
export class UpstreamError extends AppRegistryError {
  override readonly name = "UpstreamError";
  readonly rpcCode: number;

  constructor(
    message: string,
    { rpcCode, ...options }: { cause?: unknown; rpcCode?: number; retryable?: boolean } = {},
  ) {
    super(message, { ...options, docsPath: "/connect" });
    this.rpcCode = rpcCode ?? ProtocolErrorCode.InternalError;
  }
}

/** Error for a request in a session that the server has lost. The request was not carried out. */
export class LostSessionError extends UpstreamError {
  readonly session: number;

  constructor(session: number, cause: unknown) {
    super("The service answered with HTTP 404.", { cause });
    this.session = session;
  }
}

/**
 * Converts an error of the connection to one with a fixed message per kind. Quotes only the message of a JSON-RPC
 * error, up to the first part that is not plain words.
 *
 * @param quotes False if requests contain headers of the user, which a server could repeat in unrecognizable ways.
 */
export function toUpstreamError(cause: unknown, quotes: boolean): UpstreamError {
  if (cause instanceof UpstreamError) return cause;
  const failure = findGuardedFetchError(cause);
  if (cause instanceof ProtocolError) {
    const { code, message } = cause;
    // Replace this code, because a client would open the page that the error contains.
    const rpcCode =
      code === ProtocolErrorCode.UrlElicitationRequired ? ProtocolErrorCode.InternalError : code;
    if (message.endsWith(NO_ANSWER)) return new UpstreamError(NO_ANSWER, { cause, rpcCode });
    const words = quotes ? plainWords(message) : "";
    const said = words === "" ? "." : `: ${words}`;
    return new UpstreamError(`The service answered with the error ${code}${said}`, { cause, rpcCode });
  }
  const retryable = failure?.retryable ?? false;
  return new UpstreamError(sentence(cause), { cause, retryable });
}

/**
 * Converts an error of a call that left. Unless the server refused the call by an HTTP status, the message says that it
 * may have been carried out.
 */
export function toLostCallError(cause: unknown): unknown {
  const failure = findGuardedFetchError(cause);
  const isRefused = failure?.status !== undefined && failure.status < 500;
  if (isRefused || failure?.code === "redirect-not-allowed") return cause;
  return new UpstreamError(failure ? `${sentence(cause)} ${MAY_BE_DONE}` : NO_ANSWER, { cause });
}

/** Returns an error of the MCP client for a call, which says if the call may have been carried out. */
export function toCallError(cause: unknown): unknown {
  const wasSent = cause instanceof SdkError && sentCodes.has(cause.code);
  return wasSent ? new UpstreamError(`${sentence(cause)} ${MAY_BE_DONE}`, { cause }) : cause;
}

function sentence(cause: unknown): string {
  const failure = findGuardedFetchError(cause);
  if (failure && ownWords.has(failure.code)) return `Couldn't reach the service. ${failure.shortMessage}`;
  if (failure?.code === "redirect-not-allowed" || failure?.code === "too-many-redirects")
    return "The service redirects to another address, which this command doesn't follow.";
  if (failure?.code === "too-large") return "The service's answer is too large.";
  if (failure && failure.code !== "http-status") return "The service's answer or address is not allowed.";
  if (cause instanceof McpHandshakeError && cause.revisions)
    return "The service doesn't support a revision of MCP that this command knows.";
  const status = failure?.status ?? listStatus(cause);
  if (status === 401 || status === 403)
    return `The service refused access (HTTP ${status}). Send credentials with --header 'Authorization: Bearer {TOKEN}'.`;
  if (status !== undefined) return `The service answered with HTTP ${status}.`;
  const code = cause instanceof SdkError ? cause.code : undefined;
  if (code === SdkErrorCode.RequestTimeout) return "The service didn't answer in time.";
  if (code === SdkErrorCode.ConnectionClosed) return NO_ANSWER;
  return "The service's answer is not valid MCP.";
}

function listStatus(cause: unknown): number | undefined {
  const { name } = (cause ?? {}) as { name?: unknown };
  if (name === "UnauthorizedError") return 401;
  if (name === "InsufficientScopeError") return 403;
  const status = listHttpStatus(cause);
  return status !== undefined && status >= 100 && status <= 599 ? status : undefined;
}

/** Punctuation that is allowed around a word but not within it. */
const before = /^["'`([{<]+/;
const after = /(?<!["'`)\]}>.,;:!?])["'`)\]}>.,;:!?]+$/;

/** Plain words (lowercase, capitalized or uppercase) and short numbers. Anything else may be a URL or a secret. */
const word = /^(?:\p{Lu}?(?:[\p{Ll}\p{Lo}\p{M}]|['’_-](?=\p{L}))*|\p{Lu}{1,15}|-?\d{1,6})$/u;

/**
 * Returns the beginning of a server's text up to the first part that is not a plain word. URLs and encoded texts have
 * punctuation, digits or capitals where words have none.
 */
export function plainWords(text: string): string {
  const start = text.slice(0, MAX_WORDS);
  const words: string[] = [];
  for (const token of start.split(/\s+/)) {
    const bare = token.replace(before, "").replace(after, "");
    if (bare.length > 30 || !word.test(bare) || !isVisible(bare)) break;
    words.push(token);
  }
  const shown = words.join(" ").trim();
  return shown.length === text.trim().length ? shown : shown === "" ? "" : `${shown} …`;
}
