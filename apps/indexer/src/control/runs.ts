import { RENEWAL_GRACE_SECONDS } from "@app-registry/sdk";
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** Columns of a run, as its issuer stated it. */
type RunColumns = Record<"startedAt" | "lengthenedAt" | "expiresAt" | "endedAt" | "isEndFinal", SQLWrapper>;

/** Columns that say since when an issuer is distrusted, and when it first was; null while it is trusted. */
type TrustColumns = Record<"distrustedSince" | "distrustedAt", SQLWrapper>;

/** Longest life of a run that was lengthened since the distrust of its issuer, from the first distrust, in seconds. */
const DISTRUSTED_LIFE = sql.raw("2592000");
/** Greatest int8. */
const FOREVER = sql.raw("9223372036854775807");

/** Reads a run as the distrust of its issuer leaves it, in SQL. Times are Unix seconds. */
export function applyDistrust(run: RunColumns, { distrustedSince, distrustedAt }: TrustColumns) {
  const voidFrom = sql`coalesce(${distrustedSince}, ${FOREVER})`;
  // least() ignores nulls.
  const expiresAt = sql`least(${run.expiresAt},
    case when ${run.lengthenedAt} >= ${distrustedSince} then ${distrustedAt} + ${DISTRUSTED_LIFE} end)`;
  const isOpen = sql`${run.startedAt} < ${voidFrom}
    and (${run.endedAt} is null or (${run.endedAt} >= ${voidFrom} and not ${run.isEndFinal}))`;
  return {
    expiresAt,
    /** Returns true if the run is neither expired, ended nor void at `now`. */
    isLiveAt: (now: SQLWrapper): SQL => sql`(${isOpen} and ${now} < ${expiresAt})`,
    /** Returns true if the run is live at `now`, or expired so recently that it can be renewed. */
    isRenewableAt: (now: SQLWrapper): SQL =>
      sql`(${isOpen} and ${now} < ${expiresAt} + ${sql.raw(String(RENEWAL_GRACE_SECONDS))})`,
  };
}

/** Times of a run in Unix seconds; null if the issuer has only revoked. */
type Run = Record<"startedAt" | "expiresAt" | "lengthenedAt" | "endedAt", number | null>;

/** Returns what an attestation makes of a run, which it began or renewed. */
export function attestRun(
  stated: Record<"startedAt" | "statedAt" | "expiresAt", bigint>,
  before: Run | null,
  now: number,
) {
  const [startedAt, expiresAt] = [Number(stated.startedAt), Number(stated.expiresAt)];
  const isLengthened = before?.startedAt !== startedAt || before.expiresAt !== expiresAt;
  return {
    ...{ startedAt, expiresAt, statedAt: Number(stated.statedAt) },
    lengthenedAt: isLengthened ? now : before.lengthenedAt,
    ...{ endedAt: null, isEndFinal: false, revokedAt: null },
  };
}

/** Returns when a run that is revoked now ended. @param grace Seconds after expiry within which it can be renewed */
export function revokeRun({ endedAt, expiresAt }: Run, now: number, grace: number): number | null {
  return endedAt ?? (expiresAt !== null && now < expiresAt + grace ? now : null);
}

/**
 * Ends a run for good, as a lost challenge and the resolver's owner do. An end that distrust does not undo keeps its date.
 *
 * @param distrustedSince null while the run's issuer is trusted.
 */
export function finalizeRun(
  { endedAt, isEndFinal }: { endedAt: number | null; isEndFinal: boolean },
  distrustedSince: number | null,
  now: number,
) {
  const isEnded = endedAt !== null && (isEndFinal || distrustedSince === null || endedAt < distrustedSince);
  return { endedAt: isEnded ? endedAt : now, isEndFinal: true };
}
