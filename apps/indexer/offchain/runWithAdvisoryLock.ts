import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** Milliseconds between two tries for the lock, and between two proofs that it is still held. */
const INTERVAL = 2_000;

/** Milliseconds in which the database has to answer such a proof. */
const TIMEOUT = 5_000;

/**
 * Runs `work` while this process holds a PostgreSQL advisory lock, so that of all processes with the same `name` one
 * alone works. The lock ends with its connection: when the process dies, another takes over within seconds. The
 * signal that `work` is given is aborted when the connection is lost.
 *
 * @returns when `signal` is aborted. A database that is away is asked again.
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

/** Settles when the connection, and with it the lock, is lost. */
async function waitForLockLoss(client: pg.Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(signal).catch(() => undefined);
    if (!signal.aborted) await client.query("select 1");
  }
}
