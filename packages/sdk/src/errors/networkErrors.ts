import { AppRegistryError } from "./appRegistryError.ts";
import { isTransientStatus } from "./transientStatus.ts";

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
