import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Row, Schemas } from "@app-registry/index/workerTables";
import pg, { type Pool } from "pg";

/** Wraps a pool of PostgreSQL connections with write access. */
export const postgresDatabase = (pool: Pool): Database => ({
  query: async <Result extends Row>(text: string, values: readonly unknown[] = []) =>
    (await pool.query<Result>(text, [...values])).rows,
  run: async (script) => void (await pool.query(script)),
});

/** Token ids above `after`, up to `until`. */
export type TokenRange = { after: number; until: number };

/**
 * Deletes the rows of a worker's table, in a range, whose record is missing or does not meet a condition. States the
 * range for both tables, because PostgreSQL infers none.
 */
export async function pruneRows(
  database: Database,
  { index, offchain }: Schemas,
  table: string,
  { after, until }: TokenRange,
  condition = "true",
): Promise<void> {
  await database.query(
    `delete from ${offchain}.${table} row where token_id > $1::numeric and token_id <= $2::numeric
      and not exists (select from ${index}.app app where app.token_id = row.token_id
        and app.token_id > $1::numeric and app.token_id <= $2::numeric and ${condition})`,
    [after, until],
  );
}

/** Interval between attempts to get the lock, and between checks that it is still held, in milliseconds. */
const INTERVAL = 2_000;

/** Time limit of such a check, in milliseconds. */
const TIMEOUT = 5_000;

/**
 * Runs `work` while this process holds a PostgreSQL advisory lock, so that only one process with the same `name` works.
 * The lock ends with its connection: when the process dies, another takes over within seconds. Losing the connection
 * aborts the signal passed to `work`.
 *
 * Returns when `signal` is aborted. Retries while the database is unavailable.
 */
export async function runWithAdvisoryLock(
  {
    connectionString,
    name,
    onError,
  }: { connectionString: string; name: string; onError(error: unknown): void },
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const client = new pg.Client({ connectionString, query_timeout: TIMEOUT, keepAlive: true });
    const lost = new AbortController();
    const lose = () => lost.abort();
    client.on("error", lose).on("end", lose);
    const held = AbortSignal.any([signal, lost.signal]);
    try {
      await client.connect();
      while (!(await tryLock(client, name))) await pause(held);
      const working = work(held);
      await Promise.race([working, waitForLockLoss(client, held)]);
      lose();
      await working;
    } catch (error) {
      if (!signal.aborted) onError(error);
    } finally {
      lose();
      await client.end().catch(() => undefined);
    }
    await pause(signal).catch(() => undefined);
  }
}

const pause = (signal: AbortSignal) => sleep(INTERVAL, undefined, { signal, ref: false });

async function tryLock(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    "select pg_try_advisory_lock(hashtextextended($1, 0)) as locked",
    [name],
  );
  return rows[0]?.locked === true;
}

/** Rejects when the connection, and with it the lock, is lost. Resolves when `signal` is aborted. */
async function waitForLockLoss(client: pg.Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(signal).catch(() => undefined);
    if (!signal.aborted) await client.query("select 1");
  }
}
