import type { PoolConfig } from "pg";

/** Connection options that make commits durable. Ponder turns `synchronous_commit` off by default. */
export const committedConnection = {
  onConnect: (client) => client.query("SET synchronous_commit = on"),
} satisfies PoolConfig;
