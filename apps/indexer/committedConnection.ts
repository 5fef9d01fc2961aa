import type { PoolConfig } from "pg";

/** Options of Ponder's connections. Ponder itself turns `synchronous_commit` off when it connects. */
export const committedConnection = {
  onConnect: (client) => client.query("SET synchronous_commit = on"),
} satisfies PoolConfig;
