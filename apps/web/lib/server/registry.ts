import { readFileSync } from "node:fs";
import { createGuardedFetch, type GuardedFetch } from "@app-registry/outbound";
import {
  type AppRegistryClient,
  createAppRegistryClient,
  type Deployment,
  LOCAL_CHAIN_ID,
  parseDeployment,
} from "@app-registry/sdk";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { createPublicClient, type PublicClient } from "viem";
import { connectDatabase, createDatabaseProbe } from "./database.ts";
import { type Environment, environment, InvalidEnvironmentError } from "./environment.ts";
import { once } from "./once.ts";
import { type HiddenServices, readHiddenServices } from "./operator/hiddenServices.ts";
import { type IssuerNames, readIssuerNames } from "./operator/issuerNames.ts";
import { rpcTransport } from "./rpcTransport.ts";

/** What every route and page reads the registry with. */
export type Registry = {
  environment: Environment;
  deployment: Deployment;
  publicClient: PublicClient;
  client: AppRegistryClient;
  guardedFetch: GuardedFetch;
  /** The issuer's store, which web processes share; undefined for one that stands alone. */
  database: Pool | undefined;
  /** The store of the limits and nonces. It has its own connections, because the issuer can hold all of the others. */
  limitsDatabase: Pool | undefined;
  /** Rejects while the database does not answer; undefined without one. */
  probeDatabase: (() => Promise<void>) | undefined;
  /** What the operator calls the issuers. */
  issuerNames: IssuerNames;
  /** What the operator shows in no list. */
  hidden: HiddenServices;
  /** Documents that were served, by versioned DID, for while the chain does not answer. */
  documents: LRUCache<string, KeptDocument>;
  /** Every chain that can be read, the registry's own first. */
  chainIds: readonly number[];
  /** A client of one of them. */
  chainClient(chainId: number): PublicClient | undefined;
};

/** The canonical document of a version, which hashed to its record when it was read. */
export type KeptDocument = { dataHash: string; bytes: Uint8Array<ArrayBuffer> };

/** Bytes of all kept documents together, and of an entry besides its document, about. */
const DOCUMENTS_SIZE = 32 * 1024 * 1024;
const DOCUMENT_OVERHEAD = 500;

/** PostgreSQL connections of one process: the issuer holds two while it sends and revalidates. */
const ISSUER_CONNECTIONS = 6;
const LIMITS_CONNECTIONS = 4;

/**
 * Connects to what a configuration names. Nothing is asked yet.
 * @throws InvalidEnvironmentError, InvalidDeploymentError or AbiMismatchError when a file of the configuration can't be used.
 */
export function createRegistry(configuration: Environment): Registry {
  const { databaseUrl } = configuration;
  const deployment = readDeployment(configuration);
  const local = configuration.chainId === LOCAL_CHAIN_ID;
  // Hardhat mines at once, so a local page need not wait for a poll.
  const publicClient = connect(configuration.rpcUrl, local ? 200 : 2_000);
  const chains = new Map<number, PublicClient>([[configuration.chainId, publicClient]]);
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
    database: databaseUrl === undefined ? undefined : connectDatabase(databaseUrl, ISSUER_CONNECTIONS),
    limitsDatabase: databaseUrl === undefined ? undefined : connectDatabase(databaseUrl, LIMITS_CONNECTIONS),
    probeDatabase: databaseUrl === undefined ? undefined : createDatabaseProbe(databaseUrl),
    hidden: readHiddenServices(configuration.hiddenFile),
    issuerNames: readIssuerNames(configuration.issuersFile),
    documents: new LRUCache({
      maxSize: DOCUMENTS_SIZE,
      sizeCalculation: ({ bytes }) => bytes.length + DOCUMENT_OVERHEAD,
    }),
    chainIds: [...chains.keys()],
    chainClient: (chainId) => chains.get(chainId),
  };
}

function connect(rpcUrl: string, pollingInterval: number): PublicClient {
  // A contract could name any host, one behind this server's firewall too (EIP-3668).
  return createPublicClient({ transport: rpcTransport(rpcUrl), pollingInterval, ccipRead: false });
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

/** The registry that this process serves. */
export const registry = once(() => createRegistry(environment()));
