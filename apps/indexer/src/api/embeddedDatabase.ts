import { setTimeout as sleep } from "node:timers/promises";
import { db } from "ponder:api";
import { app, block, dataHashAttestation, didAttestation, head, issuer } from "ponder:schema";
import type { PGlite, QueryOptions } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { sql } from "ponder";
import { indexState } from "./indexState.ts";

/**
 * Wraps an embedded PGlite for `/sql`. For bulk changes, Ponder creates a temporary table of the same name and leaves
 * it behind, empty. PGlite has a single session, so an unqualified name would refer to that table. Therefore each
 * statement runs in a read-only transaction that searches the index's schema first.
 */
export function sqlDatabase(): typeof db {
  const { $client: pglite } = db as unknown as { $client: PGlite };
  const query = (text: string, values?: unknown[], options?: QueryOptions) =>
    pglite.transaction(async (transaction) => {
      await transaction.query("set transaction read only");
      await transaction.query(
        "select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)",
      );
      return transaction.query(text, values, options);
    });
  // Drizzle calls no other method of a client.
  return drizzle({ client: { query } as unknown as PGlite }) as unknown as typeof db;
}

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
