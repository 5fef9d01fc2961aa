import { Pool } from "pg";

/** Milliseconds; longer than an issuer waits for another process that sends. */
const QUERY_TIMEOUT = 40_000;

/** Connects to PostgreSQL. Nothing is asked yet. */
export function connectDatabase(connectionString: string): Pool {
  const pool = new Pool({
    connectionString,
    max: 6,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: QUERY_TIMEOUT,
  });
  // An idle connection that breaks is opened again by the next query; unheard, it would end the process.
  pool.on("error", () => {
    console.warn(JSON.stringify({ level: "warn", event: "database connection lost" }));
  });
  return pool;
}
