import * as z from "zod/mini";
import { capabilityKinds } from "../metadata/compareCapabilities.ts";
import { livePath } from "../paths.ts";
import { countSchema, described, hashSchema } from "../schemas.ts";
import { driftSchema, liveOutcomeSchema } from "../search/liveMark.ts";
import { requestJson, type ServiceOptions } from "../service/requestJson.ts";
import type { VersionInput } from "../version.ts";
import { unknown } from "./facts.ts";
import {
  type EndpointProbe,
  liveFact,
  probeProtocols,
  type ReadLiveFact,
  type ServiceProbe,
} from "./live.ts";

const toolChangeSchema = z.object({
  kind: z.enum(capabilityKinds),
  name: z.string(),
  change: z.enum(["added", "removed", "changed"]),
  breaks: z.exactOptional(z.string()),
  diff: described(z.array(z.string()), "Diff lines: - for the registered version, + for what is served."),
});

/** Schema of a {@link ToolComparison}. */
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

/** Schema of a {@link ServiceProbe}. */
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
    nextAt === null ? "This registry doesn't check it." : "This registry has not checked it yet.",
    nextAt === null ? {} : { nextAt },
  );
}
