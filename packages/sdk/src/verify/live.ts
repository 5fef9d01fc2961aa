import type { ToolComparison } from "../metadata/compareTools.ts";
import type { Metadata } from "../metadata/metadataSchema.ts";
import type { LiveOutcome } from "../search/liveMark.ts";
import type { Outcome } from "../search/searchResult.ts";
import { fail, isoTime, pass, unknown } from "./facts.ts";
import type { Fact } from "./report.ts";

/** How an endpoint is asked. */
export const probeProtocols = ["mcp", "a2a", "openapi", "graphql", "http", "contract"] as const;

export type ProbeProtocol = (typeof probeProtocols)[number];

/** What one endpoint answered. */
export interface EndpointProbe {
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
  /** Seconds after which the host allows another request (`Retry-After`, RFC 9110). */
  retryAfter?: number;
  /** How what it lists compares with what is registered; undefined when it lists nothing by its protocol. */
  comparison?: ToolComparison;
}

/** What a service answered. */
export interface ServiceProbe {
  /** The worst of its endpoints that were asked; `unknown` when none was. */
  outcome: LiveOutcome;
  /** `changed` when what one of them lists is not what is registered. */
  drift: ToolComparison["outcome"];
  /** Unix milliseconds. */
  probedAt: number;
  /** Why nothing was asked. */
  reason?: string;
  endpoints: EndpointProbe[];
}

/** What a service is asked by: its DID, the registered document, and the interfaces of its record. */
export interface ProbedService {
  did: string;
  metadata: Metadata;
  /** Bitmap, see `Interfaces`. */
  interfaces: number;
}

/** Asks a service, or a registry's prober, for the fact *live* of a version (major.minor.patch), as `verifyApp` takes it. */
export type ReadLiveFact = (service: ProbedService & { version: string }) => Promise<Fact>;

/** Outcome of the fact *live*: the service answers, or is gated, and offers what is registered. */
export function toLiveOutcome({ outcome, drift }: Pick<ServiceProbe, "outcome" | "drift">): Outcome {
  if (outcome === "unknown") return "unknown";
  return (outcome === "answers" || outcome === "gated") && drift !== "changed" ? "pass" : "fail";
}

/**
 * The fact *live*: the service answers, or is gated, and offers what is registered. What it says of itself to others is not
 * known.
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
  const named = changed
    .slice(0, 3)
    .map(
      ({ kind, name, change }) =>
        `${kind === "instructions" ? kind : `${kind} ${sanitizeServerText(name)}`} ${change}`,
    );
  const rest = changed.length > 3 ? ` and ${changed.length - 3} more` : "";
  return fail(`It responds, but differs from the registered version: ${named.join(", ")}${rest}.`, evidence);
}

/** A server's own word, in a sentence of ours. */
const sanitizeServerText = (name: string) => name.replace(/\p{C}/gu, "").slice(0, 60);
