import type { EndpointProbe } from "@app-registry/sdk";
import { GuardedFetchError } from "../guardedFetchError.ts";
import { ImportError } from "../import/importError.ts";

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
