import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Hex } from "viem";
import { createSession, type Session } from "./session.ts";
import { definitionsHash } from "./tables.ts";
import { NEWEST_TABLE, quoteSchemas } from "./workerTables.ts";

/**
 * Builds the SQL that reads the index's progress: `ready`, the live block `number` with its `hash`, and Ponder's
 * finalized block `final`. The tables are complete up to `number` if `ready` is true, and up to `final` otherwise.
 *
 * While Ponder builds the index, the tables hold the events of old blocks only. The `Head` handler starts at the block
 * that was the latest when the indexer started. Until all earlier blocks are indexed, its row is missing or has been
 * reverted to a final block. Ponder's `/status` can't replace it: after a restart, `/status` names the block reached
 * before the restart, while Ponder indexes non-final blocks again. See docs/decisions/0008-indexer-readiness.md.
 *
 * @param schema Schema that Ponder indexes into, as an SQL identifier.
 */
export const readinessSql = (schema: string) => `
  select number::float8 as number, hash, final,
    coalesce((meta.value ->> 'is_ready')::int = 1 and number > final, false) as ready
  from (
    -- A checkpoint is 10 digits of timestamp, 16 of chain id, 16 of block number, and the place in the block.
    select substr(finalized_checkpoint, 27, 16)::float8 as final from ${schema}._ponder_checkpoint
  ) checkpoint
  left join ${schema}.head on true
  left join ${schema}._ponder_meta meta on meta.key = 'app'`;

/** Row of `readinessSql`. Nothing is indexed if there is no row. */
export type Readiness = { number: number | null; hash: string | null; final: number; ready: boolean };

/** Progress of the index. */
export type IndexState =
  /**
   * The tables hold every event up to `block`, and have been complete before. `hash` is the block's hash, or null while
   * a restarted indexer catches up.
   */
  | { isReady: true; block: number; hash: Hex | null }
  /** The tables hold the events up to `block` and have never been complete. `undefined` before the first block. */
  | { isReady: false; block: number | undefined };

export type IndexSettings = {
  databaseUrl: string;
  /** Schema that Ponder indexes into. */
  schema: string;
  chainId: number;
};

/** Index in a PostgreSQL database, which may be a standby: it is only read. */
export type Index = {
  /**
   * Reads an answer in one read-only transaction, so that it holds for one block. Tries again for eight seconds after a
   * lost connection, a lock of the writer, or a conflict with the replay of a standby. While the database is away,
   * reads fail after a second.
   *
   * @param signal Aborts the read, for example after a shorter time limit
   * @throws {IndexUnavailableError} if the database doesn't answer within the time limit, or the read was aborted.
   */
  read<Answer>(
    answer: (session: Session, state: IndexState) => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer>;
  close(): Promise<void>;
};

/** Thrown if the index's database doesn't answer. */
export class IndexUnavailableError extends Error {
  override readonly name = "IndexUnavailableError";
}

/** Most simultaneous reads: enough to keep the CPU busy while some wait for the database. */
const MAX_READS = 2 * availableParallelism();

/** Time to try a read again, in milliseconds. The restart of a database may take half of it. */
const TIME_LIMIT_MS = 8_000;
/** The same while the database is away, in milliseconds. */
const AWAY_TIME_LIMIT_MS = 1_000;
const PAUSE_MS = 100;

/** Opens the index of a deployment. Connects with the first read. */
export function openIndex({ databaseUrl, schema, chainId }: IndexSettings): Index {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: MAX_READS,
    // This is also the wait for a connection that other reads hold. A shorter one would lose the place in the queue.
    connectionTimeoutMillis: TIME_LIMIT_MS,
    query_timeout: TIME_LIMIT_MS,
    allowExitOnIdle: true,
  });
  // When the server stops, connections that run no query emit an error, which would end the process: idle ones through
  // the pool, those of a read by themselves.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const schemas = quoteSchemas(chainId, schema);
  const begin = `begin isolation level repeatable read read only;
    set local search_path to ${schemas.index}, ${schemas.offchain}; set local lock_timeout = '500ms'`;
  const readState = `
    select progress.*, deployment.definitions, to_regclass('${schemas.offchain}.${NEWEST_TABLE}') is not null as "hasWorkerTables"
    from (select) one left join (${readinessSql(schemas.index)}) progress on true
    left join ${schemas.index}.deployment_block deployment on true`;

  /**
   * Begins the transaction and reads the state, in one message. Returns `undefined` if the indexer hasn't created the
   * tables, or not in this version.
   */
  async function beginRead(client: pg.PoolClient): Promise<StateRow | undefined> {
    try {
      const results: unknown = await client.query(`${begin}; ${readState}`);
      return (results as pg.QueryResult<StateRow>[]).at(-1)?.rows[0];
    } catch (error) {
      if (MISSING_TABLE_CODES.includes((error as { code?: string }).code ?? "")) return undefined;
      throw error;
    }
  }

  async function readOnce<Answer>(answer: Parameters<Index["read"]>[0], signal: AbortSignal) {
    const client = await pool.connect();
    try {
      // Nobody waits for this answer any more. Reading it would prolong an overload.
      signal.throwIfAborted();
      const row = await beginRead(client);
      answeredAt = performance.now();
      isAway = false;
      const session = createSession(client, { schema, hasWorkerTables: row?.hasWorkerTables === true });
      const answered = await answer(session, toState(row));
      // Don't wait for the end of the transaction, which changed nothing.
      void endRead(client);
      return answered as Answer;
    } catch (error) {
      // A rollback needs a connection that works.
      if (isTransient(error)) client.release(error as Error);
      else await endRead(client);
      throw error;
    }
  }

  /** Ends the transaction, and gives the connection back. A connection that doesn't answer is closed. */
  const endRead = (client: pg.PoolClient): Promise<void> =>
    client.query("rollback").then(
      () => client.release(),
      (error: Error) => client.release(error),
    );

  /** True if the database answered nothing for the time limit of a read. Slow answers under load don't count. */
  let isAway = false;
  let answeredAt = 0;

  async function readUntil<Answer>(answer: Parameters<Index["read"]>[0], signal: AbortSignal) {
    for (;;) {
      try {
        return await readOnce<Answer>(answer, signal);
      } catch (error) {
        if (!isTransient(error)) throw error;
        signal.throwIfAborted();
        await sleep(PAUSE_MS);
      }
    }
  }

  return {
    async read<Answer>(answer: Parameters<Index["read"]>[0], signal?: AbortSignal) {
      const startedAt = performance.now();
      const limit = AbortSignal.timeout(isAway ? AWAY_TIME_LIMIT_MS : TIME_LIMIT_MS);
      const ended = signal ? AbortSignal.any([signal, limit]) : limit;
      const whenEnded = new Promise<never>((_, reject) => {
        ended.addEventListener("abort", () => reject(ended.reason), { once: true });
      });
      try {
        ended.throwIfAborted();
        return await Promise.race([readUntil<Answer>(answer, ended), whenEnded]);
      } catch (error) {
        if (!ended.aborted) throw error;
        isAway ||= limit.aborted && answeredAt < startedAt;
        throw new IndexUnavailableError("The index's database doesn't answer.", { cause: error });
      }
    },
    close: () => pool.end(),
  };
}

type StateRow = { [Column in keyof Readiness]: Readiness[Column] | null } & {
  definitions: string | null;
  hasWorkerTables: boolean;
};

function toState(row: StateRow | undefined): IndexState {
  if (row === undefined) return { isReady: false, block: undefined };
  const { number, final, hash, ready, definitions } = row;
  // While an upgrade rolls, the tables may be of another version.
  if (definitions !== null && definitions !== definitionsHash)
    return { isReady: false, block: final ?? undefined };
  // Only a complete index has had a live block. Its number is reverted when the writer restarts.
  if (number === null || final === null) return { isReady: false, block: final ?? undefined };
  return { isReady: true, block: ready ? number : final, hash: ready ? (hash as Hex) : null };
}

/** Codes of PostgreSQL for an undefined table, column and schema. */
const MISSING_TABLE_CODES = ["42P01", "42703", "3F000"];

/**
 * Codes of PostgreSQL for lost or refused connections, held locks and conflicts with a standby's replay, and of Node.js
 * for socket errors.
 */
const TRANSIENT_CODES = /^((08|28|53|57)...|3D000|40001|40P01|55000|55P03|E[A-Z]+)$/;

/** Messages of `pg` without a code. Drizzle's begin otherwise, and contain the parameters of a query. */
const CONNECTION_MESSAGES =
  /^(connection|client has encountered a connection|timeout exceeded|query read timeout)/i;

/** Returns true if another attempt may succeed. */
function isTransient(error: unknown): boolean {
  const { code, message, cause } = (error ?? {}) as { code?: unknown; message?: string; cause?: unknown };
  return (
    TRANSIENT_CODES.test(String(code)) ||
    CONNECTION_MESSAGES.test(String(message)) ||
    (cause !== undefined && isTransient(cause))
  );
}
