import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { KEY_VARIABLES, readAccount } from "@app-registry/issuer";
import { LOCAL_CHAIN_ID } from "@app-registry/sdk";
import { type LocalAccount, parseEther, parseGwei } from "viem";
import type { z } from "zod";
import {
  chainRpcUrl,
  defaultLimits,
  httpUrl,
  type LimitQuotas,
  limitNames,
  limitVariable,
  variablesSchema,
} from "./variables.ts";

/** One day, in milliseconds. */
const DAY = 86_400_000;

/** Returns the spending cap per client. A local stack, which has only one user, has no default. */
function clientSpendingCap(data: {
  ISSUER_SPENDING_CAP: number;
  ISSUER_CLIENT_SPENDING_CAP?: number | undefined;
  ALLOW_LOOPBACK_DIDS: boolean;
}): bigint | undefined {
  const own = data.ALLOW_LOOPBACK_DIDS ? data.ISSUER_SPENDING_CAP : undefined;
  const cap = data.ISSUER_CLIENT_SPENDING_CAP ?? own;
  return cap === undefined ? undefined : parseEther(cap.toFixed(18));
}

/** Returns the default of PROBER. It requires a public URL, because the prober links to a page that describes it. */
const defaultProber = ({ CHAIN_ID, PUBLIC_URL }: { CHAIN_ID: number; PUBLIC_URL?: string | undefined }) =>
  PUBLIC_URL !== undefined || CHAIN_ID === LOCAL_CHAIN_ID ? "on" : "off";

const environmentSchema = variablesSchema.transform((data) => ({
  chainId: data.CHAIN_ID,
  rpcUrls: data.RPC_URL as readonly string[],
  deploymentFile: resolve(
    // Hide the path from bundlers, which would otherwise include every file of the project.
    /* turbopackIgnore: true */
    data.DEPLOYMENT_FILE ?? join(repositoryRoot(), "deployments", `${data.CHAIN_ID}.json`),
  ),
  publicRpcUrl: data.PUBLIC_RPC_URL ?? data.RPC_URL[0],
  walletConnectProjectId: data.WALLETCONNECT_PROJECT_ID,
  indexLagLimit: data.INDEX_LAG_LIMIT,
  publicUrl: data.PUBLIC_URL ?? "http://localhost:3000",
  publishedVersion: data.PUBLISHED_VERSION,
  issuerMode: data.ISSUER_MODE,
  issuerMaxFeePerGas: parseGwei(String(data.ISSUER_MAX_FEE_GWEI)),
  /** Maximum spending of the issuer per hour, in wei. */
  issuerSpendingCap: parseEther(data.ISSUER_SPENDING_CAP.toFixed(18)),
  /** Maximum spending per hour on the requests of one client, in wei. `undefined` for the issuer's default. */
  issuerClientSpendingCap: clientSpendingCap(data),
  issuerLowBalance: data.ISSUER_LOW_BALANCE,
  /** Maximum time between two checks of an attestation, in milliseconds. `undefined` without revalidation. */
  issuerRevalidationPeriod:
    data.ISSUER_REVALIDATION === "on" ? data.ISSUER_REVALIDATION_DAYS * DAY : undefined,
  /**
   * True if callers must prove that they hold the wallet (EIP-4361). Without a proof, anyone could choose which wallet
   * of a document becomes the DID's first controller.
   */
  requireWalletProof: data.ISSUER_REQUIRE_SIWE ?? data.CHAIN_ID !== LOCAL_CHAIN_ID,
  databaseUrl: data.DATABASE_URL as string,
  databaseReadUrl: (data.DATABASE_READ_URL ?? data.DATABASE_URL) as string,
  databaseSchema: data.DATABASE_SCHEMA,
  /** Interval at which the indexer polls for new blocks, in milliseconds. */
  pollingInterval: data.POLLING_INTERVAL ?? (data.CHAIN_ID === LOCAL_CHAIN_ID ? 250 : 500),
  readsOffchainDocuments: data.OFFCHAIN_DOCUMENTS === "on",
  probesServices: data.OFFCHAIN_DOCUMENTS === "on" && (data.PROBER ?? defaultProber(data)) === "on",
  workerConcurrency: data.WORKER_CONCURRENCY,
  metrics: data.METRICS_PORT === undefined ? undefined : { port: data.METRICS_PORT, host: data.METRICS_HOST },
  allowLoopback: data.ALLOW_LOOPBACK_DIDS,
  didWebTxt: data.DID_WEB_TXT,
  issuersFile: data.ISSUERS_FILE,
  hiddenFile: data.HIDDEN_FILE,
  reportUrl: data.REPORT_URL,
  securityContact: data.SECURITY_CONTACT,
  faucetUrl: data.FAUCET_URL,
  trustedProxies: data.TRUSTED_PROXIES,
  webProcesses: data.WEB_PROCESSES,
  /** Maximum numbers of requests in ten minutes. A local stack, which has only one user, has no default limits. */
  rateLimits: Object.fromEntries(
    limitNames.map((name) => {
      const given: unknown = data[limitVariable(name) as keyof typeof data];
      return [name, given ?? (data.ALLOW_LOOPBACK_DIDS ? undefined : defaultLimits[name])];
    }),
  ) as LimitQuotas,
}));

export type Environment = z.output<typeof environmentSchema> & {
  /** Opens the issuer's account. `undefined` without a key, and in the indexer; then nothing is attested. */
  issuerAccount: (() => Promise<LocalAccount>) | undefined;
  /** Security risks, each in a sentence. */
  warnings: readonly string[];
  /** RPC URLs of other chains for did:pkh, by chain ID (`RPC_URL_<chain id>`). */
  chainRpcUrls: ReadonlyMap<number, string>;
};

/**
 * Error for an invalid configuration, with which the server must not start. Lists all invalid variables, but no values.
 */
export class InvalidEnvironmentError extends Error {
  override readonly name = "InvalidEnvironmentError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not valid: ${problems.join("; ")}.`);
    this.problems = problems;
  }
}

/** Kinds of processes. Each requires different variables of the configuration. */
export type Part = "web" | "indexer" | "worker";

/** Lists missing and contradictory variables, even if other values are invalid. */
function findContradictions(given: Variables, part: Part): string[] {
  const isLocal = Number(given.CHAIN_ID ?? LOCAL_CHAIN_ID) === LOCAL_CHAIN_ID;
  const asksForProof = given.ISSUER_REQUIRE_SIWE ? given.ISSUER_REQUIRE_SIWE !== "false" : !isLocal;
  const hasKey = KEY_VARIABLES.some((name) => given[name]);
  const rules: [isBroken: boolean, problem: string][] = [
    [
      given.ALLOW_LOOPBACK_DIDS === "true" && !isLocal,
      `ALLOW_LOOPBACK_DIDS may be true on the local chain ${LOCAL_CHAIN_ID} only: otherwise anyone could make this server send requests to its own network`,
    ],
    [
      part === "web" && !isLocal && !given.PUBLIC_RPC_URL,
      "PUBLIC_RPC_URL must be set: browsers use it, and RPC_URL may contain a secret key",
    ],
    [
      part === "web" && asksForProof && hasKey && !given.PUBLIC_URL,
      "PUBLIC_URL must be set: wallets sign messages for this URL",
    ],
    [
      given.PROBER === "on" && !isLocal && !given.PUBLIC_URL,
      "PUBLIC_URL must be set when PROBER is on: the prober's user agent links to its explanation there",
    ],
    [
      Number(given.ISSUER_CLIENT_SPENDING_CAP ?? 0) > Number(given.ISSUER_SPENDING_CAP ?? 1),
      "ISSUER_CLIENT_SPENDING_CAP may be at most ISSUER_SPENDING_CAP",
    ],
    [
      !given.DATABASE_URL,
      "DATABASE_URL must be set: the indexer, the worker and the web app share a PostgreSQL database",
    ],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, problem]) => problem);
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration of one part. Treats an empty variable as absent.
 * @throws {InvalidEnvironmentError} with all invalid variables.
 */
export function readEnvironment(variables: Variables, part: Part = "web"): Environment {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = environmentSchema.safeParse(given);
  const chains = readChains(given);
  const problems: string[] = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join(".")} ${message}`),
    ...chains.problems,
    ...findContradictions(given, part),
  ];
  const warnings: string[] = [];
  const issuerAccount = part === "indexer" ? undefined : readAccount(given, problems, warnings);
  if (!parsed.success || problems.length > 0) throw new InvalidEnvironmentError(problems);
  return { ...parsed.data, chainRpcUrls: chains.urls, issuerAccount, warnings };
}

function readChains(variables: Variables) {
  const urls = new Map<number, string>();
  const problems: string[] = [];
  for (const [name, value] of Object.entries(variables)) {
    const chainId = chainRpcUrl.exec(name)?.[1];
    if (chainId === undefined) continue;
    const parsed = httpUrl.safeParse(value);
    if (parsed.success) urls.set(Number(chainId), parsed.data);
    else problems.push(`${name} must be an http or https URL`);
  }
  return { urls, problems };
}

/** Returns the root folder of the workspace that contains the working directory. */
function repositoryRoot(): string {
  for (let folder = process.cwd(); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "pnpm-workspace.yaml"))) return folder;
  }
  return process.cwd();
}
