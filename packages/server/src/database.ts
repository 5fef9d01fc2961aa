import { Pool } from "pg";

/** Time limit of a query, in milliseconds. It exceeds the issuer's wait for the lock of another process. */
const QUERY_TIMEOUT = 40_000;

/** Time limit of a probe, in milliseconds, each for connecting and for the query. */
const PROBE_TIMEOUT = 2_000;

/**
 * Creates a probe of PostgreSQL, which rejects if the database does not respond or is read-only (a standby). It has its
 * own connection, because queries on the other connections may wait for locks.
 */
export function createDatabaseProbe(connectionString: string): () => Promise<void> {
  const pool = new Pool({
    connectionString,
    max: 1,
    connectionTimeoutMillis: PROBE_TIMEOUT,
    query_timeout: PROBE_TIMEOUT,
    allowExitOnIdle: true,
  });
  pool.on("error", () => undefined);
  return async () => {
    const { rows } = await pool.query("SELECT current_setting('transaction_read_only') = 'on' AS standby");
    if (rows[0].standby) throw new Error("The database is read-only.");
  };
}

/** Time limit for getting a connection, in milliseconds. It includes the wait for other requests in a burst. */
const CONNECTION_TIMEOUT = 15_000;

/**
 * Creates a pool of at most `connections` PostgreSQL connections, without connecting.
 *
 * @param options Settings of the connections, as for the command line of `postgres`
 */
export function connectDatabase(connectionString: string, connections: number, options?: string): Pool {
  const pool = new Pool({
    connectionString,
    ...(options && { options }),
    max: connections,
    keepAlive: true,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    query_timeout: QUERY_TIMEOUT,
  });
  // Handle the error of a broken idle connection: unhandled, it would end the process. The next query reconnects.
  pool.on("error", () => {
    console.warn(JSON.stringify({ level: "warn", event: "database connection lost" }));
  });
  return pool;
}
