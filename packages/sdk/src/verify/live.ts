import type { ToolComparison } from "../metadata/compareTools.ts";
import type { Metadata } from "../metadata/metadataSchema.ts";
import { summarizeChanges } from "../metadata/summarizeChanges.ts";
import type { LiveOutcome } from "../search/liveMark.ts";
import type { Outcome } from "../search/searchResult.ts";
import { fail, isoTime, pass, unknown } from "./facts.ts";
import type { Fact } from "./report.ts";

/** Protocols of the live check. */
export const probeProtocols = ["mcp", "a2a", "openapi", "graphql", "http", "contract"] as const;

export type ProbeProtocol = (typeof probeProtocols)[number];

/** Result of checking one endpoint. */
export interface EndpointProbe {
  /** Name of the endpoint entry; `Website` and `Contract` for addresses outside `endpoints`. */
  name: string;
  /** URL of the endpoint, or the CAIP-10 id of a contract. */
  url: string;
  protocol: ProbeProtocol;
  outcome: LiveOutcome;
  /** Reason for the outcome, as a sentence. */
  reason: string;
  /** Milliseconds from the first request to the last byte. */
  latencyMs: number;
  /** Protocol version that the endpoint reports, if any. */
  protocolVersion?: string;
  /** HTTP status of the response that decided the outcome. */
  status?: number;
  /** Seconds after which the host allows another request (`Retry-After`, RFC 9110). */
  retryAfter?: number;
  /** Comparison of its lists with the registered version; `undefined` if its protocol has no lists. */
  comparison?: ToolComparison;
}

/** Result of checking a service. */
export interface ServiceProbe {
  /** Worst outcome of the endpoints checked; `unknown` if none was checked. */
  outcome: LiveOutcome;
  /** `changed` if the lists of an endpoint differ from the registered version. */
  drift: ToolComparison["outcome"];
  /** Time of the check, in Unix milliseconds. */
  probedAt: number;
  /** Reason why no endpoint was checked. */
  reason?: string;
  endpoints: EndpointProbe[];
}

/** Input of a live check: the DID, the registered document, and the interfaces of the record. */
export interface ProbedService {
  did: string;
  metadata: Metadata;
  /** Interface bitmap, see `Interfaces`. */
  interfaces: number;
}

/**
 * Reads the fact *live* of a version (major.minor.patch), from the service itself or from a registry's live check. An
 * option of `verifyApp`.
 */
export type ReadLiveFact = (service: ProbedService & { version: string }) => Promise<Fact>;

/**
 * Returns the outcome of the fact *live*: it passes if the service responds or is gated, and matches the registered
 * version.
 */
export function toLiveOutcome({ outcome, drift }: Pick<ServiceProbe, "outcome" | "drift">): Outcome {
  if (outcome === "unknown") return "unknown";
  return (outcome === "answers" || outcome === "gated") && drift !== "changed" ? "pass" : "fail";
}

/**
 * Creates the fact *live* from a live check. The fact passes if the service responds or is gated, and matches the
 * registered version. The service may respond differently to other callers.
 *
 * @example
 * const probe = { outcome: "answers", drift: "same", probedAt: 1_770_000_000_000, endpoints: [] } as const;
 * liveFact({ ...probe, endpoints: [] }).outcome; // "pass"
 */
export function liveFact(probe: ServiceProbe): Fact {
  const { outcome, drift, endpoints } = probe;
  const probedAt = Math.floor(probe.probedAt / 1_000);
  const evidence = { outcome, drift, probedAt, endpoints };
  const told = endpoints
    .filter((one) => one.outcome === outcome)
    .map(({ name, reason }) => `${name}: ${reason}`);
  const live = toLiveOutcome(probe);
  if (live === "unknown")
    return unknown(told.join(" ") || (probe.reason ?? "There is nothing to check."), evidence);
  if (live === "pass") return pass(`${told.join(" ")} Checked on ${isoTime(probedAt)}.`, evidence);
  if (outcome !== "answers" && outcome !== "gated") return fail(told.join(" "), evidence);
  const changed = endpoints.flatMap(({ comparison }) => comparison?.changes ?? []);
  const differences = summarizeChanges(changed);
  return fail(`It responds, but differs from the registered version: ${differences}.`, evidence);
}
