import { Pool } from "pg";

/** Milliseconds; longer than an issuer waits for another process that sends. */
const QUERY_TIMEOUT = 40_000;

/** Milliseconds that PostgreSQL has to answer a probe, once to connect and once to answer. */
const PROBE_TIMEOUT = 2_000;

/**
 * Asks PostgreSQL whether it answers and takes writes (a standby does not), over one connection that nothing else uses:
 * what waits for a lock in the other connections says nothing of the database. The promise rejects when it does not.
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

/** Milliseconds for a connection, including the wait for another request's, so that a burst is worked off. */
const CONNECTION_TIMEOUT = 15_000;

/** Connects to PostgreSQL with at most `connections` at a time. Nothing is asked yet. */
export function connectDatabase(connectionString: string, connections: number): Pool {
  const pool = new Pool({
    connectionString,
    max: connections,
    keepAlive: true,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    query_timeout: QUERY_TIMEOUT,
  });
  // An idle connection that breaks is opened again by the next query; unheard, it would end the process.
  pool.on("error", () => {
    console.warn(JSON.stringify({ level: "warn", event: "database connection lost" }));
  });
  return pool;
}
