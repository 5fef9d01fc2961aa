import { setTimeout as sleep } from "node:timers/promises";
import { db } from "ponder:api";
import { app, block, dataHashAttestation, didAttestation, head, issuer } from "ponder:schema";
import { sql } from "ponder";
import { indexState } from "./indexState.ts";

/** Interval between readiness checks, in milliseconds. */
const POLL = 1_000;

const HOUR = 3_600_000;

/**
 * Updates the statistics of an embedded database once the index is built, and then hourly until the process ends.
 * Without statistics, a search that could scan the newest records fetches all its matches instead. A PostgreSQL server
 * updates its statistics itself.
 */
export async function startStatisticsRefresh(): Promise<void> {
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { ref: false });
  while (!(await isReady())) await pause(POLL);
  for (;;) {
    // Ignore a failure: the database is closing, or the next run succeeds.
    const tables = sql.join([app, didAttestation, dataHashAttestation, issuer, block, head], sql`, `);
    await db.execute(sql`analyze ${tables}`).catch(() => undefined);
    await pause(HOUR);
  }
}

const isReady = (): Promise<boolean> =>
  indexState().then(
    (state) => state.isReady,
    () => false,
  );
