import { AppRegistryError } from "./appRegistryError.ts";
import { isTransientStatus } from "./transientStatus.ts";

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
