import { RENEWAL_GRACE_SECONDS } from "@app-registry/sdk";
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** Bit flags for missing evidence. The column `unproven` omits `live`, which only the worker can determine. */
export const missingEvidence = { content: 1, control: 2, live: 4 } as const;

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
