import * as z from "zod/mini";
import { isoTime } from "../isoTime.ts";
import { capabilityKinds, summarizeChanges, type ToolComparison } from "../metadata/compareCapabilities.ts";
import type { Metadata } from "../metadata/metadataSchema.ts";
import { livePath } from "../paths.ts";
import { requestJson, type ServiceOptions } from "../requestJson.ts";
import { countSchema, described, hashSchema } from "../schemas.ts";
import { driftSchema, type LiveOutcome, liveOutcomeSchema } from "../search/marks.ts";
import type { Outcome } from "../search/searchResult.ts";
import type { VersionInput } from "../version.ts";
import { fail, pass, unknown } from "./facts.ts";
import type { Fact } from "./report.ts";

const probeProtocols = ["mcp", "a2a", "openapi", "graphql", "http", "contract"] as const;

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

const toolChangeSchema = z.object({
  kind: z.enum(capabilityKinds),
  name: z.string(),
  change: z.enum(["added", "removed", "changed"]),
  breaks: z.exactOptional(z.string()),
  diff: described(z.array(z.string()), "Diff lines: - for the registered version, + for what is served."),
});

export const toolComparisonSchema = z.object({ outcome: driftSchema, changes: z.array(toolChangeSchema) });

const endpointProbeSchema = z.object({
  name: z.string(),
  url: z.string(),
  protocol: z.enum(probeProtocols),
  outcome: liveOutcomeSchema,
  reason: z.string(),
  latencyMs: described(countSchema, "Milliseconds from the first request to the last byte."),
  protocolVersion: z.exactOptional(z.string()),
  status: z.exactOptional(z.int()),
  retryAfter: z.exactOptional(described(z.number(), "Seconds.")),
  comparison: z.exactOptional(toolComparisonSchema),
}) satisfies z.ZodMiniType<EndpointProbe>;

export const serviceProbeSchema = z.object({
  outcome: described(liveOutcomeSchema, "Worst result among the endpoints checked."),
  drift: driftSchema,
  probedAt: described(countSchema, "Unix milliseconds."),
  reason: z.exactOptional(described(z.string(), "Why nothing was checked.")),
  endpoints: z.array(endpointProbeSchema),
}) satisfies z.ZodMiniType<ServiceProbe>;

const livePeriodSchema = z.object({
  period: described(z.string(), "A day, UTC, such as 2026-11-24."),
  outcomes: described(
    z.partialRecord(liveOutcomeSchema, countSchema),
    "Number of checks per outcome. Outcomes with none are omitted.",
  ),
  changed: described(countSchema, "Checks in which it differed from the registered version."),
  latencyMs: z.exactOptional(described(countSchema, "Milliseconds of the day's slowest response.")),
});

/** Live checks of one day. */
export type LivePeriod = z.output<typeof livePeriodSchema>;

/**
 * Schema of a {@link LiveRecord}. The results are the registry's own observations: the service may respond differently
 * to other callers.
 */
export const liveRecordSchema = z.object({
  did: z.string(),
  version: described(z.string(), "The record's current version (major.minor.patch), used for comparison."),
  dataHash: hashSchema,
  probe: described(z.nullable(serviceProbeSchema), "Latest check of this version; null if none yet."),
  answeredAt: described(
    z.nullable(countSchema),
    "When it last responded or was gated, in Unix seconds; null if never.",
  ),
  nextAt: described(z.nullable(countSchema), "Next scheduled check, in Unix seconds; null if none."),
  history: described(z.array(livePeriodSchema), "The days of the last 90 with checks, oldest first."),
});

/** Latest live check of a record by a registry, with the history of its checks. */
export type LiveRecord = z.output<typeof liveRecordSchema>;

/**
 * Reads a registry's live checks of the record of a DID and version (major.minor.patch).
 *
 * @throws {ServiceError} when the registry refuses, with status 404 if there is no such record.
 * @throws {ServiceUnavailableError} when the service does not respond like a registry.
 * @throws {TimeLimitError} when the service does not respond in time.
 * @example
 * const { history } = await fetchLiveRecord({ baseUrl, did, version: "1.0.0" });
 * history.length; // 0
 */
export const fetchLiveRecord = ({
  did,
  version,
  ...options
}: ServiceOptions & { did: string; version: VersionInput }): Promise<LiveRecord> =>
  requestJson(options, livePath(did, version), liveRecordSchema);

/**
 * Creates a reader of the fact *live* for `verifyApp`. It requests the fact from a registry's web service instead of
 * the service itself.
 *
 * @example
 * const { facts } = await verifyApp({ client, did, readLive: createLiveReader({ baseUrl }) });
 * facts.live?.outcome; // "unknown"
 */
export const createLiveReader =
  (options: ServiceOptions): ReadLiveFact =>
  async ({ did, version }) =>
    recordedLiveFact(await fetchLiveRecord({ ...options, did, version }), version);

/**
 * Creates the fact *live* of a version (major.minor.patch) from a registry's live checks. Only the current version is
 * checked; the fact of any other is `unknown`.
 *
 * @example
 * const known = await fetchLiveRecord({ baseUrl, did, version: "1.0.0" });
 * recordedLiveFact(known, "1.0.0").outcome; // "unknown"
 */
export function recordedLiveFact({ version: current, probe, nextAt }: LiveRecord, version: string) {
  if (current !== version)
    return unknown(`Only the current version, ${current}, is checked.`, { version: current });
  if (probe !== null) return liveFact(probe);
  return unknown(
    nextAt === null ? "No check is scheduled." : "This registry has not checked it yet.",
    nextAt === null ? {} : { nextAt },
  );
}
