import { readFileSync } from "node:fs";
import {
  type AppRegistryClient,
  createAppRegistryClient,
  type Deployment,
  parseDeployment,
} from "@app-registry/sdk";
import { createGuardedFetch, type GuardedFetch } from "@app-registry/sdk/issuer";
import type { Pool } from "pg";
import { createPublicClient, http, type PublicClient } from "viem";
import { connectDatabase } from "./database.ts";
import { type Environment, environment, InvalidEnvironmentError, LOCAL_CHAIN_ID } from "./environment.ts";

/** What every route and page reads the registry with. */
export type Registry = {
  environment: Environment;
  deployment: Deployment;
  publicClient: PublicClient;
  client: AppRegistryClient;
  guardedFetch: GuardedFetch;
  /** What web processes share; undefined for one that stands alone. */
  database: Pool | undefined;
  /** A client of a further chain that the operator configured. */
  chainClient(chainId: number): PublicClient | undefined;
};

/** Milliseconds; a public RPC that takes longer is treated as away. */
const RPC_TIMEOUT = 8_000;

/**
 * Connects to what a configuration names. Nothing is asked yet.
 * @throws InvalidEnvironmentError or InvalidDeploymentError when the deployment file can't be used.
 */
export function createRegistry(configuration: Environment): Registry {
  const deployment = readDeployment(configuration);
  const local = configuration.chainId === LOCAL_CHAIN_ID;
  // Hardhat mines at once, so a local page need not wait for a poll.
  const publicClient = connect(configuration.rpcUrl, local ? 200 : 2_000);
  const chains = new Map<number, PublicClient>();
  for (const [chainId, rpcUrl] of configuration.chainRpcUrls) chains.set(chainId, connect(rpcUrl, 2_000));
  return {
    environment: configuration,
    deployment,
    publicClient,
    client: createAppRegistryClient({ deployment, publicClient }),
    guardedFetch: createGuardedFetch(
      // A local stack asks itself, and its development server compiles a route at the first request.
      configuration.allowLoopback ? { allowLoopback: true, timeout: 30_000 } : {},
    ),
    database:
      configuration.databaseUrl === undefined ? undefined : connectDatabase(configuration.databaseUrl),
    chainClient: (chainId) => chains.get(chainId),
  };
}

function connect(rpcUrl: string, pollingInterval: number): PublicClient {
  const transport = http(rpcUrl, { batch: true, timeout: RPC_TIMEOUT, retryCount: 1 });
  return createPublicClient({ transport, pollingInterval });
}

function readDeployment({ deploymentFile, chainId }: Environment): Deployment {
  let text: string;
  try {
    text = readFileSync(deploymentFile, "utf8");
  } catch {
    throw new InvalidEnvironmentError(
      `DEPLOYMENT_FILE ${deploymentFile} can't be read: deploy the contracts first.`,
    );
  }
  const deployment = parseDeployment(text);
  if (deployment.chainId !== chainId) {
    const message = `CHAIN_ID is ${chainId}, but ${deploymentFile} is a deployment on chain ${deployment.chainId}.`;
    throw new InvalidEnvironmentError(message);
  }
  return deployment;
}

let current: Registry | undefined;

/** The registry that this process serves. */
export function registry(): Registry {
  current ??= createRegistry(environment());
  return current;
}
