import {
  IssuerFeesTooHighError,
  IssuerOutOfFundsError,
  IssuerRecoveringError,
  IssuerSpendingCapError,
  IssuerStoreError,
  NotAnIssuerError,
  TransactionRefusedError,
} from "@app-registry/issuer";
import {
  GuardedFetchError,
  ImportError,
  type ImportErrorCode,
  RecordedDocumentError,
} from "@app-registry/outbound";
import {
  AppRegistryError,
  ContractRevertError,
  IndexNeededError,
  InvalidDidError,
  InvalidSearchError,
  InvalidVersionError,
  TimeLimitError,
  toJsonPointer,
  VersionNotFoundError,
} from "@app-registry/sdk";
import { z } from "zod";

/** One wrong place of a request: a JSON Pointer into its body, or a parameter of its query. */
type RequestProblem = { pointer?: string; parameter?: string; message: string };

export type ProblemDetails = {
  /** What happened in this case, for the caller. */
  detail?: string | undefined;
  /** Each wrong place of the request. */
  problems?: RequestProblem[] | undefined;
  retryable?: boolean | undefined;
  /** Seconds after which it may be tried again; default 5 for what is retryable. */
  retryAfter?: number | undefined;
  /** Methods that the route has. */
  allow?: string | undefined;
};

const RETRY_AFTER = 5;

/** An answer that is an error, as RFC 9457 problem details with a stable `code`. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly httpStatus: number;
  readonly code: string;
  readonly title: string;
  readonly details: ProblemDetails;

  constructor(httpStatus: number, code: string, title: string, details: ProblemDetails = {}) {
    super(details.detail ?? title);
    this.httpStatus = httpStatus;
    this.code = code;
    this.title = title;
    this.details = details;
  }
}

/** A problem as the response that says it; `members` are added to its document. */
export function problemResponse(
  { httpStatus, code, title, details }: ApiProblem,
  requestId: string,
  members: Record<string, unknown> = {},
): Response {
  const { retryable = false, retryAfter = RETRY_AFTER, allow, ...rest } = details;
  const body = {
    type: "about:blank",
    title,
    status: httpStatus,
    code,
    ...rest,
    retryable,
    requestId,
    ...members,
  };
  return new Response(JSON.stringify(body), {
    status: httpStatus,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      ...(retryable ? { "retry-after": String(retryAfter) } : {}),
      ...(allow ? { allow } : {}),
      // RFC 9110, 15.5.9: the rest of a body that came too slowly is not waited for.
      ...(httpStatus === 408 ? { connection: "close" } : {}),
    },
  });
}

const importTitles: Record<ImportErrorCode, string> = {
  "mcp-unreadable": "The MCP server can't be read",
  "agent-card-invalid": "This is not an agent card",
  "openapi-invalid": "This is not an OpenAPI document",
};

/** What a caller may know of anything that was thrown: nothing of an unforeseen error, whatever it holds. */
export function toApiProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  if (error instanceof z.core.$ZodError) {
    return new ApiProblem(400, codeOf(error), "The request is not valid", requestProblems(error));
  }
  if (error instanceof InvalidDidError) {
    return new ApiProblem(400, "invalid-did", "This is not a DID that the registry takes", {
      detail: error.reason,
    });
  }
  if (error instanceof InvalidVersionError) {
    return new ApiProblem(400, "invalid-version", "This is not a version", { detail: error.reason });
  }
  if (error instanceof RecordedDocumentError) return documentProblem(error);
  if (error instanceof GuardedFetchError) {
    const { code, shortMessage: detail, retryable } = error;
    const status = code === "url-not-allowed" || code === "address-not-public" ? 400 : 502;
    return new ApiProblem(status, code, "The address can't be read", { detail, retryable });
  }
  if (error instanceof ImportError) {
    return new ApiProblem(422, error.code, importTitles[error.code], { detail: error.shortMessage });
  }
  if (error instanceof AppRegistryError) return registryProblem(error);
  return new ApiProblem(500, "internal-error", "Something went wrong on this server");
}

/** The code that a schema gave its one problem, such as `invalid-did`. */
function codeOf({ issues }: z.core.$ZodError): string {
  const [issue, ...others] = issues;
  const code = issue?.code === "custom" && others.length === 0 ? issue.params?.code : undefined;
  return typeof code === "string" ? code : "invalid-request";
}

function requestProblems(error: z.core.$ZodError): ProblemDetails {
  const problems = error.issues.map(({ path, message }) => ({
    pointer: toJsonPointer(path),
    message,
  }));
  return {
    detail: problems.map(({ pointer, message }) => `${pointer || "/"}: ${message}`).join("; "),
    problems,
  };
}

function documentProblem({ code, shortMessage: detail, retryable }: RecordedDocumentError): ApiProblem {
  if (code === "document-unreachable") {
    return new ApiProblem(502, code, "The metadata document can't be read from its host", {
      detail,
      retryable,
    });
  }
  const title =
    code === "hash-mismatch" ? "The document is not the recorded one" : "The document can't be canonicalised";
  return new ApiProblem(409, code, title, { detail });
}

/** What keeps the issuer from sending; each may pass, and nothing was sent. */
const sendingProblems = [
  [IssuerOutOfFundsError, "issuer-out-of-funds", "The issuer can't pay for an attestation now"],
  [IssuerFeesTooHighError, "issuer-fees-too-high", "Gas is dearer than the issuer pays"],
  [IssuerSpendingCapError, "issuer-spending-cap", "The issuer has spent what it may in an hour"],
  [IssuerRecoveringError, "issuer-recovering", "The issuer was just started again"],
  [IssuerStoreError, "issuer-store-unavailable", "The issuer's database does not answer"],
  [TransactionRefusedError, "transaction-refused", "The chain's node refused the transaction"],
] as const;

function registryProblem(error: AppRegistryError): ApiProblem {
  const detail = error.shortMessage;
  if (error instanceof InvalidSearchError) {
    return new ApiProblem(400, "invalid-parameter", "A parameter is not valid", {
      detail: error.problems.map(({ parameter, message }) => `${parameter}: ${message}`).join("; "),
      problems: [...error.problems],
    });
  }
  if (error instanceof VersionNotFoundError) {
    return new ApiProblem(404, "version-not-found", "This version is not registered", { detail });
  }
  if (error instanceof ContractRevertError && error.errorName === "AppNotFound") {
    return new ApiProblem(404, "app-not-found", "This service is not registered", { detail });
  }
  if (error instanceof IndexNeededError) {
    return new ApiProblem(503, "index-unavailable", "The index does not answer", {
      detail,
      problems: [...error.problems],
      retryable: true,
    });
  }
  if (error instanceof NotAnIssuerError) {
    return new ApiProblem(503, "issuer-not-authorised", "This server attests nothing", { detail });
  }
  const sending = sendingProblems.find(([type]) => error instanceof type);
  if (sending) {
    const [, code, title] = sending;
    const retryAfter = error instanceof IssuerSpendingCapError ? error.retryAfter : undefined;
    return new ApiProblem(503, code, title, { detail, retryable: true, retryAfter });
  }
  if (error instanceof TimeLimitError) {
    return new ApiProblem(504, "timeout", "It took too long", { detail, retryable: true });
  }
  if (error.retryable)
    return new ApiProblem(503, "chain-unavailable", "The chain can't be read now", {
      detail,
      retryable: true,
    });
  return new ApiProblem(502, "chain-error", "The chain answered with an error", { detail });
}
