import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** What an issuer stated, by the columns that keep it. */
type RunColumns = Record<"startedAt" | "statedAt" | "expiresAt" | "endedAt" | "isEndFinal", SQLWrapper>;

/** How far back a signature may be dated, in seconds. */
const MAX_BACKDATE = sql.raw("86400");
/** What is left, since the distrust of its issuer, to a run that may have been written over since, in seconds. */
const DISTRUSTED_LIFE = sql.raw("2592000");
/** The greatest int8. */
const FOREVER = sql.raw("9223372036854775807");

/**
 * What the distrust of its issuer leaves of a run, as the resolver reads it.
 *
 * @param distrustedSince null when the issuer is trusted.
 */
export function readRun(run: RunColumns, distrustedSince: SQLWrapper) {
  const { startedAt, statedAt, endedAt, isEndFinal } = run;
  const isWrittenOver = sql`${statedAt} + ${MAX_BACKDATE} >= ${distrustedSince}`;
  // least() passes over nulls.
  const expiresAt = sql`least(${run.expiresAt}, case when ${isWrittenOver} then ${distrustedSince} + ${DISTRUSTED_LIFE} end)`;
  const isEndIgnored = sql`coalesce(${endedAt} >= ${distrustedSince}, false) and not ${isEndFinal}`;
  const ends = sql`case when not (${isEndIgnored}) then ${endedAt} end`;
  const voidFrom = sql`coalesce(${distrustedSince}, ${FOREVER})`;
  return {
    expiresAt,
    /** Not expired, not ended, not void at `now`, Unix seconds. */
    isLiveAt: (now: SQLWrapper): SQL =>
      sql`(${startedAt} < ${voidFrom} and ${now} < least(${expiresAt}, ${ends}))`,
  };
}

/** An attestation's end, and what decides whether it is heeded. Times are Unix seconds. */
interface EndedRun {
  startedAt: number | null;
  endedAt: number | null;
  isEndFinal: boolean;
}

/**
 * Ends a run for good, as an ousting and the resolver's owner do. An end that is heeded stays where it is.
 *
 * @param distrustedSince null when the run's issuer is trusted.
 */
export function finishRun(
  { startedAt, endedAt, isEndFinal }: EndedRun,
  distrustedSince: number | null,
  now: number,
) {
  const voidFrom = distrustedSince ?? Number.POSITIVE_INFINITY;
  const isHeeded = endedAt !== null && (startedAt ?? 0) < voidFrom && (isEndFinal || endedAt < voidFrom);
  return { endedAt: isHeeded ? endedAt : now, isEndFinal: true };
}
