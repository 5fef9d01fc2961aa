import { liveRecord } from "@app-registry/index/live";
import { recentChanges } from "@app-registry/index/recentChanges";
import type { Session } from "@app-registry/index/session";
import { didHash, type Fact, type LiveRecord, recordedLiveFact } from "@app-registry/sdk";
import { readIndex } from "../readIndex.ts";
import type { Registry } from "../registry.ts";

type Source = Pick<Registry, "index">;

/** Time limit of the index for data that a page can omit, in milliseconds. */
const TIME_LIMIT_MS = 1_500;

/** Reads a record's live check results. Returns "missing" if the index has no such record. */
export const readLiveRow = async (
  session: Session,
  did: string,
  major: number,
): Promise<LiveRecord | "missing"> =>
  (await liveRecord(session, { didHash: didHash(did), major })) ?? "missing";

/** Returns the same, or `undefined` if the index is unavailable. */
export const readLiveRecord = (
  source: Source,
  did: string,
  major: number,
): Promise<LiveRecord | "missing" | undefined> =>
  readIndex(source, (session) => readLiveRow(session, did, major), {
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  });

/** Returns the fact *live* of a version (major.minor.patch), according to the index. Never throws. */
export async function readLiveFact(source: Source, did: string, version: string): Promise<Fact> {
  const record = await readLiveRecord(source, did, Number.parseInt(version, 10)).catch(() => undefined);
  if (typeof record === "object") return recordedLiveFact(record, version);
  return record === "missing"
    ? { outcome: "unknown", reason: "This record hasn't been indexed yet.", evidence: {} }
    : {
        outcome: "unknown",
        reason: "The search index isn't responding.",
        evidence: { error: "index-unavailable" },
      };
}

/** Events of records, newest first, and the version before each current one with what it changed. */
export type RecentChanges = Awaited<ReturnType<typeof recentChanges>>;

/**
 * Change of control, or between two live checks of a service. `version` is the record's current one; times are in Unix
 * seconds.
 */
export type RecordEvent = RecentChanges["events"][number];

/** Maximum number of records per request. */
const MAX_RECORDS = 100;

/** Returns the latest changes of the first 100 records, or none if the index is unavailable. */
export async function readRecentChanges(source: Source, tokenIds: readonly string[]): Promise<RecentChanges> {
  const none = { events: [], versions: [] };
  if (tokenIds.length === 0) return none;
  const read = await readIndex(source, (session) => recentChanges(session, tokenIds.slice(0, MAX_RECORDS)), {
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  });
  return read ?? none;
}
