import { setTimeout as sleep } from "node:timers/promises";
import { db } from "ponder:api";
import { app, block, dataHashAttestation, didAttestation, head, issuer } from "ponder:schema";
import { sql } from "ponder";
import { indexState } from "./indexState.ts";

/** Milliseconds between two looks whether the index is built. */
const POLL = 1_000;

const HOUR = 3_600_000;

/**
 * Has an embedded database know how frequent words and traits are, from when the index is built and every hour after:
 * without statistics every search that could walk the newest records fetches all its matches instead. A PostgreSQL
 * server does this by itself. Ends with the process.
 */
export async function startStatisticsRefresh(): Promise<void> {
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { ref: false });
  while (!(await isReady())) await pause(POLL);
  for (;;) {
    // One that fails is of a database that is being closed, or is made good by the next.
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
