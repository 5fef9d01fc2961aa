import type { GuardedFetchErrorCode } from "@app-registry/outbound";
import { findGuardedFetchError, listHttpStatus, McpHandshakeError } from "@app-registry/outbound/internal";
import { AppRegistryError, isVisible } from "@app-registry/sdk";
import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from "@modelcontextprotocol/server";
import { NO_ANSWER } from "./serverFetch.ts";

/** Most characters of a server's text that are passed on. */
const MAX_WORDS = 1_000;

/** Codes of requests that failed at the registered host, whose messages contain nothing that a server chose. */
const ownWords: ReadonlySet<GuardedFetchErrorCode> = new Set([
  "name-not-found",
  "address-not-public",
  "unreachable",
  "tls-failed",
  "timeout",
]);

/** An error of the guarded server, in words that are safe to show to a model and on a terminal. */
export class UpstreamError extends AppRegistryError {
  override readonly name = "UpstreamError";
  /** JSON-RPC error code. */
  readonly rpcCode: number;

  constructor(
    message: string,
    { rpcCode, ...options }: { cause?: unknown; rpcCode?: number; retryable?: boolean } = {},
  ) {
    super(message, { ...options, docsPath: "/connect" });
    this.rpcCode = rpcCode ?? ProtocolErrorCode.InternalError;
  }
}

/**
 * Turns whatever reaching a server threw into an error with a fixed sentence for its kind. Only the message of a JSON-RPC
 * error is quoted, as far as it is plain words.
 *
 * @param quotes False if the server was sent headers of the user: it can repeat them in more ways than can be recognised.
 */
export function toUpstreamError(cause: unknown, quotes: boolean): UpstreamError {
  if (cause instanceof UpstreamError) return cause;
  const failure = findGuardedFetchError(cause);
  if (cause instanceof ProtocolError) {
    const { code, message } = cause;
    // A client would open the page that this error asks for.
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
    return `The service refused access (HTTP ${status}). Send credentials with --header 'Authorization: Bearer \${TOKEN}'.`;
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

/** Marks that may stand around a word, but not within it. */
const around = /^["'`([{<]+|["'`)\]}>.,;:!?]+$/g;

/** Words in lower case, with a capital or in capitals, and short numbers. What else there is may be an address or a code. */
const word = /^(?:\p{Lu}?(?:[\p{Ll}\p{Lo}\p{M}]|['’_-](?=\p{L}))*|\p{Lu}{1,15}|-?\d{1,6})$/u;

/**
 * Returns the words at the beginning of a server's text, up to what is not plain. Addresses and encoded texts have marks,
 * digits or capitals where words have none.
 */
export function plainWords(text: string): string {
  const start = text.slice(0, MAX_WORDS);
  const words: string[] = [];
  for (const token of start.split(/\s+/)) {
    const bare = token.replace(around, "");
    if (bare.length > 30 || !word.test(bare) || !isVisible(bare)) break;
    words.push(token);
  }
  const shown = words.join(" ").trim();
  return shown.length === text.trim().length ? shown : shown === "" ? "" : `${shown} …`;
}
