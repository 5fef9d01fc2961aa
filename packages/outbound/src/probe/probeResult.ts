import type { EndpointProbe, LiveOutcome } from "@app-registry/sdk";
import { GuardedFetchError, type GuardedFetchErrorCode } from "../fetch/guardedFetchError.ts";
import { ImportError } from "../import/importError.ts";

/** Result of checking an endpoint in one protocol. */
export type ProbeResult = Pick<
  EndpointProbe,
  "outcome" | "reason" | "protocolVersion" | "status" | "retryAfter" | "comparison"
>;

/** Converts an unexpected HTTP status of an endpoint to a result. */
export function statusToProbeResult(url: string, status: number, retryAfter?: number): ProbeResult {
  const said = { status, ...(retryAfter !== undefined && { retryAfter }) };
  const reason = `${url} returned HTTP ${status}`;
  if (status === 402) return { outcome: "gated", reason: `${reason}: payment required.`, ...said };
  if (status === 401 || status === 403)
    return { outcome: "gated", reason: `${reason}: credentials required.`, ...said };
  if (status === 429) return { outcome: "unknown", reason: `${reason}: it asked us to try later.`, ...said };
  if (status < 400)
    return { outcome: "failing", reason: `${reason}, a redirect that was not followed.`, ...said };
  return { outcome: status >= 500 ? "failing" : "other-protocol", reason: `${reason}.`, ...said };
}

/** Outcomes of failed requests, by error code. The default is `failing`, for a host that was reached. */
const outcomes: Partial<Record<GuardedFetchErrorCode, LiveOutcome>> = {
  unreachable: "unreachable",
  "name-not-found": "unreachable",
  "tls-failed": "unreachable",
  "url-not-allowed": "unknown",
  "address-not-public": "unknown",
  "redirect-not-allowed": "unknown",
  "too-many-requests": "unknown",
  "robots-disallowed": "unknown",
  "content-type": "other-protocol",
  "not-utf8": "other-protocol",
};

/** Returns true if the host accepted the connection and then closed it. */
const isConnectionReset = ({ cause }: GuardedFetchError): boolean =>
  cause instanceof Error && "code" in cause && /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(String(cause.code));

/** Converts the error of a request to a result. Rethrows errors that the host did not cause. */
export function errorToProbeResult(url: string, error: unknown): ProbeResult {
  if (error instanceof ImportError) {
    if (error.code === "mcp-revision-unknown") return { outcome: "unknown", reason: error.shortMessage };
    if (error.status !== undefined) return statusToProbeResult(url, error.status);
    return { outcome: error.speaks ? "failing" : "other-protocol", reason: error.shortMessage };
  }
  if (!(error instanceof GuardedFetchError)) throw error;
  const { code, status, retryAfter, shortMessage: reason } = error;
  if (status !== undefined) return statusToProbeResult(url, status, retryAfter);
  const outcome = (!isConnectionReset(error) && outcomes[code]) || "failing";
  return { outcome, reason };
}
