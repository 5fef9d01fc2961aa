import { InvalidCursorError } from "@app-registry/index/search/search";
import {
  AccountError,
  ClientSpendingCapError,
  IssuerFeesTooHighError,
  IssuerKeyError,
  IssuerOutOfFundsError,
  IssuerRecoveringError,
  IssuerSpendingCapError,
  IssuerStoreError,
  NotAnIssuerError,
  TransactionRefusedError,
} from "@app-registry/issuer";
import {
  GuardedFetchError,
  RecordedDocumentError,
  type RecordedDocumentErrorCode,
  UnusableAddressError,
} from "@app-registry/outbound";
import {
  AppRegistryError,
  ContractRevertError,
  IndexRequiredError,
  InvalidDidError,
  InvalidSearchError,
  InvalidSubjectError,
  InvalidVersionError,
  LookupError,
  type SearchPage,
  TimeLimitError,
  toAppRegistryError,
  toJsonPointer,
  VersionNotFoundError,
} from "@app-registry/sdk";
import type { HiddenServices } from "@app-registry/server/hiddenServices";
import { BaseError } from "viem";
import { z } from "zod";

/** One invalid part of a request: a JSON Pointer into its body or a query parameter. */
type RequestProblem = { pointer?: string; parameter?: string; message: string };

export type ProblemDetails = {
  /** Explanation of this occurrence, for the caller. */
  detail?: string | undefined;
  /** Every invalid part of the request. */
  problems?: RequestProblem[] | undefined;
  retryable?: boolean | undefined;
  /** Time after which the caller may retry, in seconds. Default 5 for retryable problems. */
  retryAfter?: number | undefined;
  /** Methods that the route supports. */
  allow?: string | undefined;
};

const RETRY_AFTER = 5;

/** Error response: problem details (RFC 9457) with a stable `code`. */
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

/** Converts a problem to a response. `members` are added to the document. */
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
      // RFC 9110, 15.5.9: close the connection instead of waiting for the rest of a slow body.
      ...(httpStatus === 408 ? { connection: "close" } : {}),
    },
  });
}

const documentProblems: Record<RecordedDocumentErrorCode, [status: number, title: string]> = {
  "document-unreachable": [502, "Couldn't load the metadata document from its host"],
  "hash-mismatch": [409, "The document doesn't match the record"],
  "document-invalid": [409, "The document can't be converted to canonical JSON"],
};

type KnownProblem = [
  type: abstract new (...parameters: never[]) => AppRegistryError,
  httpStatus: number,
  code: string,
  title: string,
  retryable: boolean,
];

/** Errors of the registry. The issuer's sending errors are retryable: nothing was sent, and the cause may pass. */
const knownProblems: KnownProblem[] = [
  [VersionNotFoundError, 404, "version-not-found", "This version is not registered", false],
  [IndexRequiredError, 503, "index-unavailable", "Search index unavailable", true],
  [NotAnIssuerError, 503, "issuer-not-authorised", "This server does not issue attestations", false],
  [IssuerOutOfFundsError, 503, "issuer-out-of-funds", "The issuer has insufficient funds", true],
  [IssuerFeesTooHighError, 503, "issuer-fees-too-high", "Gas price is above the issuer's limit", true],
  [
    IssuerSpendingCapError,
    503,
    "issuer-spending-cap",
    "The issuer has reached its hourly spending limit",
    true,
  ],
  [
    ClientSpendingCapError,
    429,
    "client-spending-cap",
    "You have reached the issuer's hourly spending limit per client",
    true,
  ],
  [IssuerRecoveringError, 503, "issuer-recovering", "The issuer is restarting", true],
  [AccountError, 503, "issuer-key-unavailable", "The issuer's key is unavailable", true],
  [IssuerKeyError, 503, "issuer-key-unavailable", "The issuer couldn't sign", true],
  [IssuerStoreError, 503, "issuer-store-unavailable", "The issuer's database is unavailable", true],
  [TransactionRefusedError, 503, "transaction-refused", "The chain's node rejected the transaction", true],
  [TimeLimitError, 504, "timeout", "Timed out", true],
];

/** Converts any thrown error to the problem that the caller sees. Unexpected errors reveal nothing. */
export function toApiProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  if (error instanceof z.core.$ZodError) {
    return new ApiProblem(400, getCode(error), "Invalid request", requestProblems(error));
  }
  if (error instanceof InvalidDidError) {
    return new ApiProblem(400, "invalid-did", "Invalid DID", { detail: error.reason });
  }
  if (error instanceof InvalidVersionError) {
    return new ApiProblem(400, "invalid-version", "Invalid version", { detail: error.reason });
  }
  if (error instanceof InvalidSubjectError) {
    const { shortMessage: detail } = error;
    return new ApiProblem(400, "invalid-subject", "Nothing to look up", { detail });
  }
  if (error instanceof LookupError) {
    const { code, shortMessage, action } = error;
    const title = "No single service has this address";
    return new ApiProblem(code === "ambiguous" ? 409 : 404, code, title, {
      detail: `${shortMessage} ${action}`,
    });
  }
  if (error instanceof UnusableAddressError) {
    const detail = `${error.shortMessage} ${error.action}`;
    return new ApiProblem(400, "unusable-address", "Invalid service address", { detail });
  }
  if (error instanceof GuardedFetchError) {
    const { code, shortMessage: detail, retryable } = error;
    const status = code === "url-not-allowed" || code === "address-not-public" ? 400 : 502;
    return new ApiProblem(status, code, "Couldn't read the address", { detail, retryable });
  }
  if (error instanceof InvalidCursorError) {
    const { message } = error;
    return new ApiProblem(400, "invalid-cursor", "Invalid parameter", {
      ...{ detail: `cursor: ${message}`, problems: [{ parameter: "cursor", message }] },
    });
  }
  // An error of the RPC client that nobody converted, such as a timeout.
  if (error instanceof BaseError) return toApiProblem(toAppRegistryError(error));
  if (!(error instanceof AppRegistryError)) {
    return new ApiProblem(500, "internal-error", "Internal server error");
  }
  const detail = error.shortMessage;
  if (error instanceof RecordedDocumentError) {
    const { code, retryable } = error;
    const [status, title] = documentProblems[code];
    return new ApiProblem(status, code, title, { detail, retryable });
  }
  if (error instanceof InvalidSearchError) {
    return new ApiProblem(400, "invalid-parameter", "Invalid parameter", {
      detail: error.problems.map(({ parameter, message }) => `${parameter}: ${message}`).join("; "),
      problems: [...error.problems],
    });
  }
  if (error instanceof ContractRevertError && error.errorName === "AppNotFound") {
    return new ApiProblem(404, "app-not-found", "This service is not registered", { detail });
  }
  const known = knownProblems.find(([type]) => error instanceof type);
  if (!known) {
    return error.retryable
      ? new ApiProblem(503, "chain-unavailable", "Couldn't reach the chain", { detail, retryable: true })
      : new ApiProblem(502, "chain-error", "The chain returned an error", { detail });
  }
  const [, status, code, title, mayPass] = known;
  return new ApiProblem(status, code, title, {
    detail,
    problems: error instanceof IndexRequiredError ? [...error.problems] : undefined,
    retryable: mayPass,
    retryAfter:
      error instanceof IssuerSpendingCapError || error instanceof ClientSpendingCapError
        ? error.retryAfter
        : undefined,
  });
}

/** Returns the code that a schema gave its only issue, such as `invalid-did`. */
function getCode({ issues }: z.core.$ZodError): string {
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

/**
 * Throws if the operator hides the service.
 *
 * @throws ApiProblem 451 `hidden` with the operator's reason.
 */
export function refuseHidden(hidden: HiddenServices, did: string): void {
  const reason = hidden.reasonOf(did);
  if (reason === undefined) return;
  throw new ApiProblem(451, "hidden", "The operator of this registry has hidden this service", {
    detail: reason,
  });
}

/** Removes hidden services from a page of results. */
export function withoutHidden(hidden: HiddenServices, page: SearchPage): SearchPage {
  if (page.results.every(({ did }) => hidden.reasonOf(did) === undefined)) return page;
  return { ...page, results: page.results.filter(({ did }) => hidden.reasonOf(did) === undefined) };
}
