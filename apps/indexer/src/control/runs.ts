import { RENEWAL_GRACE_SECONDS } from "@app-registry/sdk";
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** Columns of a run, before distrust is applied. */
type RunColumns = Record<"startedAt" | "lengthenedAt" | "expiresAt" | "endedAt" | "isEndFinal", SQLWrapper>;

/** Time from which an issuer is distrusted, and time of its first distrust; null while it is trusted. */
type TrustColumns = Record<"distrustedSince" | "distrustedAt", SQLWrapper>;

/** Longest life after the first distrust, in seconds, of a run that was extended since the distrusted time. */
const DISTRUSTED_LIFE = sql.raw("1987200");
/** Largest int8. */
const FOREVER = sql.raw("9223372036854775807");

/** Builds the SQL of a run's state after the distrust of its issuer. Times are Unix seconds. */
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

/** Returns the run after an attestation that began or renewed it. */
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

/**
 * Returns the end of a run that is revoked at `now`. @param grace Seconds after expiry within which it can be renewed
 */
export function revokeRun({ endedAt, expiresAt }: Run, now: number, grace: number): number | null {
  return endedAt ?? (expiresAt !== null && now < expiresAt + grace ? now : null);
}

/**
 * Ends a run permanently, as a lost challenge or the resolver's owner does. Keeps an earlier end that distrust does not
 * undo.
 *
 * @param distrustedSince Null while the run's issuer is trusted.
 */
export function finalizeRun(
  { endedAt, isEndFinal }: { endedAt: number | null; isEndFinal: boolean },
  distrustedSince: number | null,
  now: number,
) {
  const isEnded = endedAt !== null && (isEndFinal || distrustedSince === null || endedAt < distrustedSince);
  return { endedAt: isEnded ? endedAt : now, isEndFinal: true };
}
