import { BaseError } from "viem";
import { AppRegistryError } from "./appRegistryError.ts";

/**
 * Thrown when the chain's RPC did not respond or refused with an HTTP status, so that nothing is known about the
 * record. Retryable, unless the status (such as 404) means that the same request will be refused again.
 */
export class RpcUnavailableError extends AppRegistryError {
  override readonly name = "RpcUnavailableError";

  constructor(cause: unknown, status?: number) {
    const retryable = status === undefined || isTransientStatus(status);
    const problem = retryable ? "is not responding" : `returned HTTP ${status}`;
    super(`The chain's RPC endpoint ${problem}.`, {
      action: retryable
        ? "Try again in a moment, or use another RPC endpoint."
        : "Check the endpoint's URL, or use another RPC endpoint.",
      docsPath: "/sdk#errors",
      retryable,
      cause,
    });
  }
}

/** Thrown when the chain's RPC responded with an error of its own, not of a contract. */
export class RpcFailedError extends AppRegistryError {
  override readonly name = "RpcFailedError";

  constructor(reason: string, cause: unknown) {
    super(`The RPC endpoint failed: ${reason.replace(/\.$/, "")}.`, {
      action: "Try again in a moment, or use another RPC endpoint.",
      docsPath: "/sdk#errors",
      retryable: true,
      cause,
    });
  }
}

/** Thrown when the chain that the client reads has no contract at the deployment's address. */
export class ContractNotDeployedError extends AppRegistryError {
  override readonly name = "ContractNotDeployedError";

  constructor(cause: unknown) {
    super("No App Registry contract was found at the deployment's address on this chain.", {
      action: "Use the deployment file for the chain of your RPC endpoint.",
      docsPath: "/sdk#deployment",
      cause,
    });
  }
}

/** Thrown when a host or an RPC did not respond within the time limit. */
export class TimeLimitError extends AppRegistryError {
  override readonly name = "TimeLimitError";

  constructor(what: string) {
    super(`${what} did not respond in time.`, {
      action: "Try again in a moment.",
      docsPath: "/sdk#errors",
      retryable: true,
    });
  }
}

/** Thrown when a transaction was sent and is not confirmed yet. It may still be confirmed. */
export class ReceiptTimeoutError extends AppRegistryError {
  override readonly name = "ReceiptTimeoutError";

  constructor(cause: unknown) {
    super("The transaction was sent but isn't confirmed yet.", {
      action: "Keep waiting for the same transaction hash. Sending it again may execute it twice.",
      docsPath: "/sdk#errors",
      retryable: true,
      cause,
    });
  }
}

/**
 * Runs a function for at most `milliseconds`. Then aborts the signal, and does not wait for work that ignores it.
 *
 * @throws {TimeLimitError} naming `what`, when time is up.
 */
export async function withTimeLimit<Result>(
  what: string,
  milliseconds: number,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new TimeLimitError(what);
      reject(error);
      controller.abort(error);
    }, milliseconds);
  });
  try {
    return await Promise.race([run(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Longest message that is read, in UTF-16 code units. A contract can revert with any text, which nodes repeat. */
const MAX_WORDS = 1_000;

/** Returns the beginning of the message of a node, a wallet or viem itself. */
export function collectMessages(error: unknown): string {
  const words =
    error instanceof BaseError
      ? error.details || error.shortMessage
      : error instanceof Error
        ? error.message
        : "";
  return words.slice(0, MAX_WORDS);
}

/**
 * Redacts the details of an RPC operator in a message: the URLs and addresses of the nodes behind a gateway, and words
 * that are long enough for a key.
 */
export function redactUrls(words: string): string {
  return words
    .replace(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]+/gi, "(a URL)")
    .replace(/\[[\da-f:.]+\](:\d+)?|\b\d{1,3}(\.\d{1,3}){3}\b(:\d+)?/gi, "(an address)")
    .replace(/\b(?!0x)(?=[a-z_-]*\d)[\w-]{24,}/gi, "(a key)");
}

/** Shortest part of a URL that may be a key, in characters. */
const MIN_SECRET_LENGTH = 8;

/**
 * Creates a function that removes the parts of an RPC's URL that may be a key from its messages. Some RPCs repeat the
 * key of the request in their errors.
 */
export function createKeyRedactor(rpcUrl: string): (words: string) => string {
  const secrets = extractSecrets(rpcUrl);
  return (words) => secrets.reduce((left, secret) => left.replaceAll(secret, "…"), words);
}

/** Returns the credentials, the path's parts and the query's values, both as in the URL and decoded. */
function extractSecrets(rpcUrl: string): string[] {
  const { username, password, pathname, searchParams } = new URL(rpcUrl);
  const written = [username, password, ...pathname.split("/")];
  const parts = [...written, ...written.map(decoded), ...searchParams.values()];
  return [...new Set(parts)]
    .filter((part) => part.length >= MIN_SECRET_LENGTH)
    .toSorted((one, other) => other.length - one.length);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Returns true if the same request may succeed later, judging by its HTTP status: 408, 425, 429 and every 5xx (RFC
 * 9110, RFC 8470, RFC 6585).
 */
export const isTransientStatus = (status: number): boolean =>
  status >= 500 || status === 408 || status === 425 || status === 429;

/** Thrown when a registry web service responded with an error (RFC 9457). */
export class ServiceError extends AppRegistryError {
  override readonly name = "ServiceError";
  /** HTTP status. */
  readonly status: number;
  /** Stable code of the problem, if the service gave one. */
  readonly code: string | undefined;

  constructor(
    url: string,
    status: number,
    problem: { code?: string | undefined; detail?: string | undefined } = {},
  ) {
    super(problem.detail ?? `${url} returned HTTP ${status}.`, {
      action: suggestAction(status, problem.code),
      docsPath: "/sdk#errors",
      retryable: isTransientStatus(status),
    });
    this.status = status;
    this.code = problem.code;
  }
}

/**
 * Returns the suggested action for a refusal. A registry's own refusal has a code; one without a code probably comes
 * from another server.
 */
function suggestAction(status: number, code: string | undefined): string {
  if (isTransientStatus(status)) return "Try again in a moment.";
  return code === undefined ? "Check the base URL." : "Check the request.";
}

/** Thrown when a web service did not respond, or responded in another format than a registry. */
export class ServiceUnavailableError extends AppRegistryError {
  override readonly name = "ServiceUnavailableError";

  constructor(url: string, cause: unknown) {
    super(`${url} is not responding as a registry web service.`, {
      action: "Check the base URL, or try again in a moment.",
      docsPath: "/sdk#errors",
      retryable: true,
      cause,
    });
  }
}

/** Thrown when the search index did not reach a block in time. It may still do so. */
export class IndexTimeoutError extends AppRegistryError {
  override readonly name = "IndexTimeoutError";
  /** Block that the call waited for. */
  readonly blockNumber: bigint;
  /** Last block that the index reported; `undefined` if it did not respond. */
  readonly indexedBlock: bigint | undefined;

  constructor(blockNumber: bigint, indexedBlock: bigint | undefined, cause?: unknown) {
    const reached = indexedBlock === undefined ? "is not responding" : `has reached block ${indexedBlock}`;
    super(`Block ${blockNumber} is not indexed yet: the search index ${reached}.`, {
      action: "Wait again, or read the chain itself with searchChain() and getApp().",
      docsPath: "/sdk#writes",
      retryable: true,
      cause,
    });
    this.blockNumber = blockNumber;
    this.indexedBlock = indexedBlock;
  }
}

/** Thrown when the client has no web service, and thus no search index. */
export class NoServiceError extends AppRegistryError {
  override readonly name = "NoServiceError";

  constructor() {
    super("This call needs a registry web service, but the client has none configured.", {
      action: "Pass baseUrl, or create the client with connectAppRegistry().",
      docsPath: "/sdk#client",
    });
  }
}
