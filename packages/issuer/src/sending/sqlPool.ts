import { keccak256, stringToBytes } from "viem";
import { IssuerStoreError } from "./sendingErrors.ts";

export type Query = (
  text: string,
  values?: unknown[],
) => Promise<{ rows: unknown[]; rowCount: number | null }>;

type SqlClient = {
  query: Query;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  release(destroy?: boolean): void;
};

/**
 * Subset of a `pg` Pool. It needs at least two connections, because sending holds one, and three with revalidation,
 * which holds another one during a pass.
 */
export type SqlPool = {
  query: Query;
  /** Reserves a connection for a transaction. */
  connect(): Promise<SqlClient>;
};

/** Maximum time to wait for a lock of another process, in milliseconds. */
const LOCK_TIMEOUT = 30_000;

/** Runs a query. @throws {IssuerStoreError} (retryable) if the query fails. */
export async function queryStore(query: Query, text: string, values?: unknown[]): ReturnType<Query> {
  try {
    return await query(text, values);
  } catch (error) {
    throw new IssuerStoreError(error);
  }
}

/** Creates tables in the schema `app_registry_issuer`. */
export async function migrate(pool: SqlPool, migration: string): Promise<void> {
  const create = () =>
    queryStore(pool.query.bind(pool), `CREATE SCHEMA IF NOT EXISTS app_registry_issuer; ${migration}`);
  // Lock, because two processes that create a table at the same time would conflict.
  await withAdvisoryLock(pool, "app_registry_issuer", create);
}

/** Runs a task once no other process is running one with the same lock name. */
export function withAdvisoryLock<T>(pool: SqlPool, name: string, task: () => Promise<T>): Promise<T> {
  return withConnection(pool, async (query) => {
    await queryStore(query, "SELECT pg_advisory_xact_lock($1)", [toLockId(name)]);
    return task();
  });
}

/** Runs a task unless another process is running one with the same lock name. Then returns `undefined`. */
export function tryWithAdvisoryLock<T>(
  pool: SqlPool,
  name: string,
  task: () => Promise<T>,
): Promise<T | undefined> {
  return withConnection(pool, async (query) => {
    const { rows } = await queryStore(query, "SELECT pg_try_advisory_xact_lock($1) AS free", [
      toLockId(name),
    ]);
    return (rows as { free: boolean }[])[0]?.free ? task() : undefined;
  });
}

/** Runs a task in its own transaction, so that an advisory lock ends with the process at the latest. */
async function withConnection<T>(pool: SqlPool, task: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new IssuerStoreError(error);
  });
  const query = client.query.bind(client);
  // Handle the event: an unhandled error of a broken connection would end the process. The next query reports it.
  const ignore = () => undefined;
  client.on("error", ignore);
  let ended = false;
  try {
    await queryStore(query, `BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
    return await task(query);
  } finally {
    // Commit only to release the lock: the task wrote through other connections, so there is nothing to roll back.
    ended = await query("COMMIT").then(
      () => true,
      () => false,
    );
    client.off("error", ignore);
    client.release(!ended);
  }
}

/** Returns the ID of a lock: 64 bits of the hash of its name. */
const toLockId = (name: string): string =>
  String(BigInt.asIntN(64, BigInt(keccak256(stringToBytes(name)).slice(0, 18))));
