import type { ToolComparison } from "@app-registry/sdk";
import { GuardedFetchError } from "../guardedFetchError.ts";
import { ImportError } from "../import/importError.ts";

/**
 * What came of asking an endpoint. `gated`: it runs, and wants credentials or payment (401, 402, 403). `other-protocol`:
 * something else is at the address. `unreachable`: nothing is. `failing`: it runs, and can't answer. `unknown`: it was not
 * asked, because that is not allowed or there is no way to.
 */
export const liveOutcomes = [
  "answers",
  "gated",
  "failing",
  "other-protocol",
  "unreachable",
  "unknown",
] as const;

export type LiveOutcome = (typeof liveOutcomes)[number];

/** How an endpoint is asked. */
export type ProbeProtocol = "mcp" | "a2a" | "openapi" | "graphql" | "http" | "contract";

/** What one endpoint answered. */
export type EndpointProbe = {
  /** Name of the entry; `Website` and `Contract` for what is no entry. */
  name: string;
  /** Its URL, or the CAIP-10 id of a contract. */
  url: string;
  protocol: ProbeProtocol;
  outcome: LiveOutcome;
  /** A sentence that says why. */
  reason: string;
  /** Milliseconds from the first request to the last byte. */
  latencyMs: number;
  /** Version of the protocol that the endpoint speaks, if it says so. */
  protocolVersion?: string;
  /** HTTP status of the answer that decided. */
  status?: number;
  /** Seconds after which the host allows another request (`Retry-After`). */
  retryAfter?: number;
  /** How what it lists compares with what is registered; undefined when it lists nothing by its protocol. */
  comparison?: ToolComparison;
};

/** What a way of asking found out. */
export type Answer = Pick<
  EndpointProbe,
  "outcome" | "reason" | "protocolVersion" | "status" | "retryAfter" | "comparison"
>;

/** What an HTTP status says of an endpoint that should have answered otherwise. */
export function answerOfStatus(url: string, status: number, retryAfter?: number): Answer {
  const said = { status, ...(retryAfter !== undefined && { retryAfter }) };
  const reason = `${url} answers with HTTP status ${status}`;
  if (status === 402) return { outcome: "gated", reason: `${reason}: it wants payment.`, ...said };
  if (status === 401 || status === 403)
    return { outcome: "gated", reason: `${reason}: it wants credentials.`, ...said };
  if (status === 429)
    return { outcome: "unknown", reason: `${reason}: it wants to be asked later.`, ...said };
  if (status < 400) return { outcome: "failing", reason: `${reason}, to where it is not followed.`, ...said };
  return { outcome: status >= 500 ? "failing" : "other-protocol", reason: `${reason}.`, ...said };
}

/** Codes of requests that reached nobody, and of those that were not sent. */
const unreachable = new Set<string>(["unreachable", "name-not-found", "tls-failed"]);
const notAsked = new Set<string>([
  "url-not-allowed",
  "address-not-public",
  "redirect-not-allowed",
  "too-many-requests",
]);
/** Codes of an answer that is something else than was asked for. */
const otherwise = new Set<string>(["content-type", "not-utf8"]);

/** Whether somebody took the connection, and broke it. */
const isBroken = ({ cause }: GuardedFetchError): boolean =>
  cause instanceof Error && "code" in cause && /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(String(cause.code));

/** What a failed request says. @throws What is neither an answer nor a failure of the host. */
export function answerOfError(url: string, error: unknown): Answer {
  if (error instanceof ImportError) {
    if (error.status !== undefined) return answerOfStatus(url, error.status);
    return { outcome: error.speaks ? "failing" : "other-protocol", reason: error.shortMessage };
  }
  if (!(error instanceof GuardedFetchError)) throw error;
  const { code, status, retryAfter, shortMessage: reason } = error;
  if (status !== undefined) return answerOfStatus(url, status, retryAfter);
  const outcome = isBroken(error)
    ? "failing"
    : unreachable.has(code)
      ? "unreachable"
      : notAsked.has(code)
        ? "unknown"
        : otherwise.has(code)
          ? "other-protocol"
          : "failing";
  return { outcome, reason };
}
