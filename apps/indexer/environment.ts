/** What the indexer reads from its environment. */
export type Environment = {
  chainId: number;
  rpcUrl: string;
  /** Path of deployments/<chainId>.json. */
  deploymentFile: string;
  /** Milliseconds between two looks for a new block. */
  pollingInterval: number;
  database: { kind: "pglite"; directory: string } | { kind: "postgres"; connectionString: string };
};

/**
 * Reads CHAIN_ID (31337), RPC_URL (http://127.0.0.1:8545), DEPLOYMENT_FILE (../../deployments/<chainId>.json),
 * DATABASE_URL (PostgreSQL; without it an embedded PGlite) and PGLITE_DIR (.ponder/pglite).
 *
 * @throws when CHAIN_ID is not a positive integer.
 */
export function readEnvironment(env: Record<string, string | undefined>): Environment {
  const chainId = Number(env.CHAIN_ID || 31337);
  if (!Number.isSafeInteger(chainId) || chainId < 1) {
    throw new Error(`CHAIN_ID must be a positive integer, not "${env.CHAIN_ID}".`);
  }
  return {
    chainId,
    rpcUrl: env.RPC_URL || "http://127.0.0.1:8545",
    deploymentFile: env.DEPLOYMENT_FILE || `../../deployments/${chainId}.json`,
    pollingInterval: chainId === 31337 ? 250 : 1000,
    database: env.DATABASE_URL
      ? { kind: "postgres", connectionString: env.DATABASE_URL }
      : { kind: "pglite", directory: env.PGLITE_DIR || ".ponder/pglite" },
  };
}
