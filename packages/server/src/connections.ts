import { type Index, openIndex } from "@app-registry/index/openIndex";
import { createGuardedFetch, type GuardedFetch } from "@app-registry/outbound";
import {
  type AppRegistryClient,
  createAppRegistryClient,
  type Deployment,
  LOCAL_CHAIN_ID,
} from "@app-registry/sdk";
import type { Pool } from "pg";
import { createPublicClient, fallback, type PublicClient } from "viem";
import { connectDatabase, createDatabaseProbe } from "./database.ts";
import { readDeployment } from "./deployment.ts";
import type { Environment } from "./environment.ts";
import { watchLag } from "./lag.ts";
import { metrics } from "./metrics.ts";
import { rpcTransport } from "./rpcTransport.ts";

/** Connections of a registry's process. */
export type Connections = {
  environment: Environment;
  deployment: Deployment;
  publicClient: PublicClient;
  client: AppRegistryClient;
  guardedFetch: GuardedFetch;
  /** Database of the issuer, shared by all processes. */
  database: Pool;
  /** Rejects if the database does not respond. */
  probeDatabase(): Promise<void>;
  /** Index of the chain's events, which is only read. */
  index: Index;
  /** Returns the number of the chain's blocks after a block, or null while the RPC is unavailable. */
  readLag(block: number): Promise<number | null>;
  /** IDs of all configured chains, the registry's own first. */
  chainIds: readonly number[];
  /** Returns the client of a configured chain. */
  chainClient(chainId: number): PublicClient | undefined;
};

/** Maximum number of PostgreSQL connections per process. The issuer holds two while it sends and revalidates. */
const ISSUER_CONNECTIONS = 6;

/**
 * Creates the connections of a configuration, without sending a request.
 * @throws {InvalidEnvironmentError} if a file of the configuration is invalid.
 * @throws {InvalidDeploymentError} if the deployment file is invalid.
 * @throws {AbiMismatchError} if the deployment has other contracts.
 */
export function connect(environment: Environment): Connections {
  const { databaseUrl, chainId, allowLoopback } = environment;
  const deployment = readDeployment(environment);
  // Poll a local chain more often, because Hardhat mines immediately.
  const publicClient = createClient(environment.rpcUrls, chainId === LOCAL_CHAIN_ID ? 200 : 2_000);
  const chains = new Map<number, PublicClient>([[chainId, publicClient]]);
  for (const [id, rpcUrl] of environment.chainRpcUrls) chains.set(id, createClient([rpcUrl], 2_000));
  return {
    environment,
    deployment,
    publicClient,
    client: createAppRegistryClient({ deployment, publicClient }),
    guardedFetch: createGuardedFetch({
      // Allow more time locally: the stack requests itself, and its server compiles a route at the first request.
      ...(allowLoopback ? { allowLoopback, timeout: 30_000 } : {}),
      onAnswer: (outcome, seconds) => metrics().outbound(outcome, seconds),
    }),
    database: connectDatabase(databaseUrl, ISSUER_CONNECTIONS),
    probeDatabase: createDatabaseProbe(databaseUrl),
    index: openIndex({
      ...{ databaseUrl: environment.databaseReadUrl, schema: environment.databaseSchema, chainId },
    }),
    readLag: watchLag(publicClient),
    chainIds: [...chains.keys()],
    chainClient: (id) => chains.get(id),
  };
}

function createClient(rpcUrls: readonly string[], pollingInterval: number): PublicClient {
  const [only, ...others] = rpcUrls.map(rpcTransport);
  if (!only) throw new Error("A chain has an endpoint");
  const transport = others.length > 0 ? fallback([only, ...others]) : only;
  // Disable EIP-3668, because a contract could choose any host, even one behind this server's firewall.
  return createPublicClient({ transport, pollingInterval, ccipRead: false });
}
