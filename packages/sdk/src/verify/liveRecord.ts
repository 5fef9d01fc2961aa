import * as z from "zod/mini";
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
  kind: z.enum(["tool", "resource", "resource template", "prompt", "skill", "instructions"]),
  name: z.string(),
  change: z.enum(["added", "removed", "changed"]),
  breaks: z.exactOptional(z.string()),
  diff: described(z.array(z.string()), "Diff lines: - for the registered version, + for what is served."),
});

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
  comparison: z.exactOptional(z.object({ outcome: driftSchema, changes: z.array(toolChangeSchema) })),
}) satisfies z.ZodMiniType<EndpointProbe>;

/** What a service answered; see {@link ServiceProbe}. */
export const serviceProbeSchema = z.object({
  outcome: described(liveOutcomeSchema, "Worst result among the endpoints checked."),
  drift: driftSchema,
  probedAt: described(countSchema, "Unix milliseconds."),
  reason: z.exactOptional(described(z.string(), "Why nothing was checked.")),
  endpoints: z.array(endpointProbeSchema),
}) satisfies z.ZodMiniType<ServiceProbe>;

const livePeriodSchema = z.object({
  period: described(z.string(), "A day (2026-11-24) or a month (2026-11), UTC."),
  outcomes: described(
    z.partialRecord(liveOutcomeSchema, countSchema),
    "Number of checks per outcome. Outcomes with none are omitted.",
  ),
  changed: described(countSchema, "Checks in which it differed from the registered version."),
});

/** One day or month of a service's history. */
export type LivePeriod = z.output<typeof livePeriodSchema>;

/** What a registry's prober knows of a record. The registry says what it was served: a host may show others something else. */
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
  history: described(
    z.array(livePeriodSchema),
    "The last 90 days by day, and earlier ones by month; oldest first.",
  ),
});

/** What a registry's prober knows of a record. */
export type LiveRecord = z.output<typeof liveRecordSchema>;

/**
 * Reads what a registry's prober knows of the record of a DID and version (major.minor.patch).
 *
 * @throws as `requestJson`; {@link ServiceError} 404 when there is no such record.
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
 * Reads the fact *live* from a registry's web service instead of asking the service itself.
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
 * The fact *live* of a version (major.minor.patch) out of what a registry's prober knows.
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
    nextAt === null ? "This registry does not check it." : "This registry has not checked it yet.",
    nextAt === null ? {} : { nextAt },
  );
}
