import { keccak256, stringToBytes } from "viem";
import { IssuerStoreError } from "./sending/sendingErrors.ts";

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
 * The part of a `pg` Pool that is used. It needs at least two connections, because sending holds one, and three with
 * revalidation, which holds another one while it works.
 */
export type SqlPool = {
  query: Query;
  /** A connection of its own, for a transaction. */
  connect(): Promise<SqlClient>;
};

/** Longest wait for a lock that another process holds, in milliseconds. */
const LOCK_TIMEOUT = 30_000;

/** Runs a query; every failure to answer is retryable. */
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
  // Two processes that create a table at once would collide.
  await withAdvisoryLock(pool, "app_registry_issuer", create);
}

/** Runs a task when no other process runs one of the same name. */
export function withAdvisoryLock<T>(pool: SqlPool, name: string, task: () => Promise<T>): Promise<T> {
  return withConnection(pool, async (query) => {
    await queryStore(query, "SELECT pg_advisory_xact_lock($1)", [toLockId(name)]);
    return task();
  });
}

/** Runs a task unless another process runs one of the same name; then returns undefined. */
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

/** Runs a task in its own transaction, so an advisory lock ends with the process at the latest. */
async function withConnection<T>(pool: SqlPool, task: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new IssuerStoreError(error);
  });
  const query = client.query.bind(client);
  // A connection that breaks between two queries would end the process; the next query says it.
  const ignore = () => undefined;
  client.on("error", ignore);
  let ended = false;
  try {
    await queryStore(query, `BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
    return await task(query);
  } finally {
    // The task wrote through other connections, so there is nothing to roll back; this only ends the lock.
    ended = await query("COMMIT").then(
      () => true,
      () => false,
    );
    client.off("error", ignore);
    client.release(!ended);
  }
}

/** A lock's number, 64 bits of its name's hash. */
const toLockId = (name: string): string =>
  String(BigInt.asIntN(64, BigInt(keccak256(stringToBytes(name)).slice(0, 18))));
