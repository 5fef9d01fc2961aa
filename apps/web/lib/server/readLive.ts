import {
  didHash,
  type Fact,
  type LiveRecord,
  liveRecordSchema,
  type ReadLiveFact,
  recordedLiveFact,
} from "@app-registry/sdk";
import { fetchFromIndexer, type IndexerAnswer, parseAnswer } from "@app-registry/server/fetchFromIndexer";
import { TtlCache } from "@app-registry/server/TtlCache";
import { z } from "zod";
import type { Registry } from "./registry.ts";

type Source = Pick<Registry, "environment">;

/** Time limit of the index, in milliseconds. All parts of one page share the response. */
const INDEX_TIMEOUT_MS = 1_500;
const AGE = 1_000;

const answers = new TtlCache<IndexerAnswer | undefined>(500);

/** Returns the index's path of a record's live check results. */
export const indexedLivePath = (did: string, major: number) => `/live/${didHash(did)}/${major}`;

/**
 * Returns a record's live check results, "missing" if the index has no such record, or `undefined` if the index is
 * unavailable.
 */
export async function readLiveRecord(
  { environment }: Source,
  did: string,
  major: number,
): Promise<LiveRecord | "missing" | undefined> {
  const path = indexedLivePath(did, major);
  const answer = await answers.get(
    `${environment.indexerUrls} ${path}`,
    () => AGE,
    () => fetchFromIndexer(environment.indexerUrls, path, { timeout: INDEX_TIMEOUT_MS }),
  );
  if (answer?.status === 404) return "missing";
  return answer?.status === 200 ? liveRecordSchema.safeParse(parseAnswer(answer)).data : undefined;
}

/** Returns the fact *live* of a version (major.minor.patch), according to the index. Never throws. */
export async function readLiveFact(source: Source, did: string, version: string): Promise<Fact> {
  const record = await readLiveRecord(source, did, Number.parseInt(version, 10)).catch(() => undefined);
  if (typeof record === "object") return recordedLiveFact(record, version);
  const reason =
    record === "missing"
      ? "This record has not been indexed yet, so it has not been checked."
      : "Live check results are unavailable because the search index is not responding.";
  return { outcome: "unknown", reason, evidence: {} };
}

/** Creates the function that reads the fact *live* for `verifyApp`. */
export const liveReader =
  (source: Source): ReadLiveFact =>
  ({ did, version }) =>
    readLiveFact(source, did, version);

const eventSchema = z.object({
  tokenId: z.string(),
  did: z.string(),
  version: z.string(),
  at: z.int(),
  kind: z.enum(["stopped", "answers", "changed", "same", "controlled", "uncontrolled"]),
  detail: z.string(),
});

/**
 * Change of control, or between two live checks of a service. `version` is the record's current one; times are in Unix
 * seconds.
 */
export type RecordEvent = z.output<typeof eventSchema>;

const recentChangesSchema = z.object({
  events: z.array(eventSchema),
  versions: z.array(z.object({ tokenId: z.string(), before: z.string(), summary: z.string() })),
});

/** Events of records, newest first, and the version before each current one with what it changed. */
export type RecentChanges = z.output<typeof recentChangesSchema>;

const noChanges: RecentChanges = { events: [], versions: [] };

/** Maximum number of records per request. */
const MAX_RECORDS = 100;

/** Returns the latest changes of the first 100 records, or none if the index is unavailable. */
export async function readRecentChanges(
  { environment }: Source,
  tokenIds: readonly string[],
): Promise<RecentChanges> {
  if (tokenIds.length === 0) return noChanges;
  const path = `/changes?tokenIds=${tokenIds.slice(0, MAX_RECORDS).join(",")}`;
  const answer = await fetchFromIndexer(environment.indexerUrls, path, { timeout: INDEX_TIMEOUT_MS });
  if (answer?.status !== 200) return noChanges;
  return recentChangesSchema.safeParse(parseAnswer(answer)).data ?? noChanges;
}
