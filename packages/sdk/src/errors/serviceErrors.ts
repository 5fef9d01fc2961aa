import { AppRegistryError } from "./appRegistryError.ts";
import { isTransientStatus } from "./networkErrors.ts";

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
