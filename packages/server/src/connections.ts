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
import { metrics } from "./metrics.ts";
import { rpcTransport } from "./rpcTransport.ts";

/** What a process of a registry reads and writes with. */
export type Connections = {
  environment: Environment;
  deployment: Deployment;
  publicClient: PublicClient;
  client: AppRegistryClient;
  guardedFetch: GuardedFetch;
  /** The issuer's store, which processes share; undefined for one that stands alone. */
  database: Pool | undefined;
  /** Rejects while the database does not answer; undefined without one. */
  probeDatabase: (() => Promise<void>) | undefined;
  /** Every chain that can be read, the registry's own first. */
  chainIds: readonly number[];
  /** A client of one of them. */
  chainClient(chainId: number): PublicClient | undefined;
};

/** PostgreSQL connections of one process: the issuer holds two while it sends and revalidates. */
const ISSUER_CONNECTIONS = 6;

/**
 * Connects to what a configuration names. Nothing is asked yet.
 * @throws InvalidEnvironmentError, InvalidDeploymentError or AbiMismatchError when a file of the configuration can't be used.
 */
export function connect(environment: Environment): Connections {
  const { databaseUrl, chainId, allowLoopback } = environment;
  const deployment = readDeployment(environment);
  // Hardhat mines at once, so a local page need not wait for a poll.
  const publicClient = createClient(environment.rpcUrls, chainId === LOCAL_CHAIN_ID ? 200 : 2_000);
  const chains = new Map<number, PublicClient>([[chainId, publicClient]]);
  for (const [id, rpcUrl] of environment.chainRpcUrls) chains.set(id, createClient([rpcUrl], 2_000));
  return {
    environment,
    deployment,
    publicClient,
    client: createAppRegistryClient({ deployment, publicClient }),
    guardedFetch: createGuardedFetch({
      // A local stack asks itself, and its development server compiles a route at the first request.
      ...(allowLoopback ? { allowLoopback, timeout: 30_000 } : {}),
      onAnswer: (outcome, seconds) => metrics().outbound(outcome, seconds),
    }),
    database: databaseUrl === undefined ? undefined : connectDatabase(databaseUrl, ISSUER_CONNECTIONS),
    probeDatabase: databaseUrl === undefined ? undefined : createDatabaseProbe(databaseUrl),
    chainIds: [...chains.keys()],
    chainClient: (id) => chains.get(id),
  };
}

function createClient(rpcUrls: readonly string[], pollingInterval: number): PublicClient {
  const [only, ...others] = rpcUrls.map(rpcTransport);
  if (!only) throw new Error("A chain has an endpoint");
  const transport = others.length > 0 ? fallback([only, ...others]) : only;
  // A contract could name any host, one behind this server's firewall too (EIP-3668).
  return createPublicClient({ transport, pollingInterval, ccipRead: false });
}
