import { AppRegistryError } from "./appRegistryError.ts";
import { isTransientStatus } from "./transientStatus.ts";

/** A registry web service answered with an error (RFC 9457). */
export class ServiceError extends AppRegistryError {
  override readonly name = "ServiceError";
  /** HTTP status. */
  readonly status: number;
  /** The problem's stable code, when the service gave one. */
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

/** A registry's own refusal has a code; a refusal without one probably comes from another server. */
function suggestAction(status: number, code: string | undefined): string {
  if (isTransientStatus(status)) return "Try again in a moment.";
  return code === undefined ? "Check the base URL." : "Check the request.";
}

/** A web service didn't answer, or not in its format. */
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
