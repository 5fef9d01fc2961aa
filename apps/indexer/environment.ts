import { LOCAL_CHAIN_ID } from "@app-registry/sdk";

/** What the indexer reads from its environment. */
export type Environment = {
  chainId: number;
  /** Endpoints of the chain; requests are spread over them. */
  rpcUrls: string[];
  /** Path of deployments/<chainId>.json. */
  deploymentFile: string;
  /** Milliseconds between two looks for a new block. */
  pollingInterval: number;
  database: { kind: "pglite"; directory: string } | { kind: "postgres"; connectionString: string };
  /** Whether documents that are only at their dataUrl are read. */
  readsOffchainDocuments: boolean;
  /** Whether hosts of this machine may be asked for them, over plain http. */
  allowLoopback: boolean;
};

/**
 * Reads CHAIN_ID (31337), RPC_URL (http://127.0.0.1:8545; several comma-separated), DEPLOYMENT_FILE
 * (../../deployments/<chainId>.json), DATABASE_URL (PostgreSQL; without it an embedded PGlite), PGLITE_DIR (.ponder/pglite), POLLING_INTERVAL (1000, on the
 * local chain 250), OFFCHAIN_DOCUMENTS (on) and ALLOW_LOOPBACK_DIDS (false).
 *
 * @throws when CHAIN_ID is not a positive integer, POLLING_INTERVAL under 100, OFFCHAIN_DOCUMENTS neither on nor off, or loopback hosts allowed
 * on another chain than the local one.
 */
export function readEnvironment(env: Record<string, string | undefined>): Environment {
  const chainId = Number(env.CHAIN_ID || LOCAL_CHAIN_ID);
  if (!Number.isSafeInteger(chainId) || chainId < 1) {
    throw new Error(`CHAIN_ID must be a positive integer, not "${env.CHAIN_ID}".`);
  }
  const pollingInterval = Number(env.POLLING_INTERVAL || (chainId === LOCAL_CHAIN_ID ? 250 : 1000));
  if (!Number.isSafeInteger(pollingInterval) || pollingInterval < 100) {
    throw new Error(`POLLING_INTERVAL must be at least 100 ms, not "${env.POLLING_INTERVAL}".`);
  }
  const offchainDocuments = env.OFFCHAIN_DOCUMENTS || "on";
  if (offchainDocuments !== "on" && offchainDocuments !== "off") {
    throw new Error(`OFFCHAIN_DOCUMENTS must be on or off, not "${offchainDocuments}".`);
  }
  const allowLoopback = env.ALLOW_LOOPBACK_DIDS === "true";
  if (allowLoopback && chainId !== LOCAL_CHAIN_ID) {
    throw new Error(
      `ALLOW_LOOPBACK_DIDS may be true on the local chain ${LOCAL_CHAIN_ID} only: it lets strangers have this machine ask itself.`,
    );
  }
  return {
    chainId,
    rpcUrls: (env.RPC_URL || "http://127.0.0.1:8545").split(",").map((url) => url.trim()),
    deploymentFile: env.DEPLOYMENT_FILE || `../../deployments/${chainId}.json`,
    pollingInterval,
    database: env.DATABASE_URL
      ? { kind: "postgres", connectionString: env.DATABASE_URL }
      : { kind: "pglite", directory: env.PGLITE_DIR || ".ponder/pglite" },
    readsOffchainDocuments: offchainDocuments === "on",
    allowLoopback,
  };
}
