import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { LOCAL_CHAIN_ID } from "@app-registry/sdk";
import { type Hex, isHex, parseEther, parseGwei } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import { defaultLimits, type LimitName, type LimitQuotas } from "./limits/quotas.ts";
import { once } from "./once.ts";

/** Milliseconds. */
const DAY = 86_400_000;

const url = (protocols: RegExp) =>
  z
    .url({ protocol: protocols, error: "must be an http or https URL" })
    .transform((text) => text.replace(/\/$/, ""));
const httpUrl = url(/^https?$/);

const flag = z.enum(["true", "false"]).transform((word) => word === "true");

/** What an operator may set each limit to: `readClient` by RATE_LIMIT_READ_CLIENT. */
const quota = z.coerce.number().int().positive().max(1_000_000).optional();
const limitNames = Object.keys(defaultLimits) as LimitName[];
const limitVariable = (name: LimitName) =>
  `RATE_LIMIT_${name.replace(/[A-Z]/, "_$&").toUpperCase()}` as `RATE_LIMIT_${string}`;
const limitVariables = Object.fromEntries(limitNames.map((name) => [limitVariable(name), quota]));

/** Off the local chain strangers ask, and could choose which wallet of a document is its DID's first controller. */
const requiresWalletProof = (data: {
  CHAIN_ID: number;
  ISSUER_REQUIRE_SIWE?: boolean | undefined;
}): boolean => data.ISSUER_REQUIRE_SIWE ?? data.CHAIN_ID !== LOCAL_CHAIN_ID;

/** Whether an account can be made of it; the error of making it would repeat it. */
function isPrivateKey(value: unknown): value is Hex {
  if (!isHex(value) || value.length !== 66) return false;
  try {
    privateKeyToAccount(value);
    return true;
  } catch {
    return false;
  }
}

const environmentSchema = z
  .object({
    CHAIN_ID: z.coerce.number().int().positive().default(LOCAL_CHAIN_ID),
    RPC_URL: httpUrl.default("http://127.0.0.1:8545"),
    DEPLOYMENT_FILE: z.string().min(1).optional(),
    INDEXER_URL: z
      .string()
      .default("http://127.0.0.1:42069")
      .transform((text) => text.split(",").map((part) => part.trim()))
      .pipe(z.array(httpUrl)),
    INDEX_LAG_LIMIT: z.coerce.number().int().nonnegative().max(1_000_000).default(100),
    PUBLIC_URL: httpUrl.optional(),
    ISSUER_PRIVATE_KEY: z
      .custom<Hex>(isPrivateKey, "must be 0x and 64 hex digits, of a secp256k1 key")
      .optional(),
    ISSUER_MODE: z.enum(["send", "sign"]).default("send"),
    ISSUER_MAX_FEE_GWEI: z.coerce.number().positive().max(1_000_000).default(500),
    ISSUER_SPENDING_CAP: z.coerce.number().positive().max(1_000_000_000).default(1),
    ISSUER_LOW_BALANCE: z.coerce.number().int().nonnegative().default(100),
    ISSUER_REVALIDATION: z.enum(["on", "off"]).default("on"),
    ISSUER_REVALIDATION_DAYS: z.coerce.number().positive().max(365).default(30),
    ISSUER_REQUIRE_SIWE: flag.optional(),
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgresql URL" }).optional(),
    ALLOW_LOOPBACK_DIDS: flag.default(false),
    HIDDEN_FILE: z.string().min(1).optional(),
    REPORT_URL: z.url({ protocol: /^(https|mailto)$/, error: "must be an https or mailto URL" }).optional(),
    FAUCET_URL: z.url({ protocol: /^https$/, error: "must be an https URL" }).optional(),
    ISSUERS_FILE: z.string().min(1).optional(),
    DID_WEB_TXT: flag.default(false),
    TRUSTED_PROXIES: z.coerce.number().int().nonnegative().max(10).default(0),
    SHUTDOWN_SECONDS: z.coerce.number().positive().max(3_600).default(25),
    ...limitVariables,
    PUBLIC_RPC_URL: httpUrl.optional(),
    WALLETCONNECT_PROJECT_ID: z.string().optional(),
  })
  .refine(({ PUBLIC_RPC_URL, CHAIN_ID }) => PUBLIC_RPC_URL !== undefined || CHAIN_ID === LOCAL_CHAIN_ID, {
    path: ["PUBLIC_RPC_URL"],
    message: "must be set: it is what browsers are told to ask, and RPC_URL may hold a key",
  })
  .refine((data) => data.PUBLIC_URL !== undefined || !data.ISSUER_PRIVATE_KEY || !requiresWalletProof(data), {
    path: ["PUBLIC_URL"],
    message: "must be set: it is what wallets sign for",
  })
  .refine(({ ALLOW_LOOPBACK_DIDS, CHAIN_ID }) => !ALLOW_LOOPBACK_DIDS || CHAIN_ID === LOCAL_CHAIN_ID, {
    path: ["ALLOW_LOOPBACK_DIDS"],
    message: `may be true on the local chain ${LOCAL_CHAIN_ID} only: it lets strangers have this server ask its own network`,
  })
  .transform((data) => ({
    chainId: data.CHAIN_ID,
    rpcUrl: data.RPC_URL,
    deploymentFile: resolve(
      data.DEPLOYMENT_FILE ?? join(repositoryRoot(), "deployments", `${data.CHAIN_ID}.json`),
    ),
    /** The RPC that browsers are told; anybody can read it. */
    publicRpcUrl: data.PUBLIC_RPC_URL ?? data.RPC_URL,
    /** Offers wallets on other devices, through WalletConnect. */
    walletConnectProjectId: data.WALLETCONNECT_PROJECT_ID,
    /** Indexers of the same chain, asked in this order. */
    indexerUrls: data.INDEXER_URL as readonly string[],
    /** Blocks that the index may be behind the chain before health is degraded. */
    indexLagLimit: data.INDEX_LAG_LIMIT,
    /** Origin at which people reach this site, without a slash at its end. */
    publicUrl: data.PUBLIC_URL ?? "http://localhost:3000",
    issuerPrivateKey: data.ISSUER_PRIVATE_KEY,
    /** `sign`: publishers send what the issuer signs, and pay for it. */
    issuerMode: data.ISSUER_MODE,
    /** The most that the issuer pays per gas, in wei. */
    issuerMaxFeePerGas: parseGwei(String(data.ISSUER_MAX_FEE_GWEI)),
    /** The most that the issuer spends in an hour, in wei. */
    issuerSpendingCap: parseEther(data.ISSUER_SPENDING_CAP.toFixed(18)),
    /** Attestations that the issuer's balance must pay for, or the log warns. */
    issuerLowBalance: data.ISSUER_LOW_BALANCE,
    /** Milliseconds within which every attestation is checked again; undefined when none is. */
    issuerRevalidationPeriod:
      data.ISSUER_REVALIDATION === "on" ? data.ISSUER_REVALIDATION_DAYS * DAY : undefined,
    /** Attests only to callers who show that they hold the wallet (EIP-4361). */
    requireWalletProof: requiresWalletProof(data),
    /** PostgreSQL that all web processes share; without it one process alone may attest. */
    databaseUrl: data.DATABASE_URL,
    allowLoopback: data.ALLOW_LOOPBACK_DIDS,
    /** Takes DNS TXT records as a second proof of control of a did:web. */
    didWebTxt: data.DID_WEB_TXT,
    /** The operator's JSON with the names of issuers. */
    issuersFile: data.ISSUERS_FILE,
    /** The operator's JSON of services that no list shows. */
    hiddenFile: data.HIDDEN_FILE,
    /** Where visitors report a service; `{did}` in it is the service's. */
    reportUrl: data.REPORT_URL,
    /** Where publishers who are short of funds get some; `{address}` in it is the wallet's. */
    faucetUrl: data.FAUCET_URL,
    /** Proxies in front of this server that add to X-Forwarded-For. */
    trustedProxies: data.TRUSTED_PROXIES,
    /** Milliseconds that a process has to answer its open requests after it is asked to stop. */
    shutdownGrace: data.SHUTDOWN_SECONDS * 1_000,
    /** Requests in ten minutes; a local stack, which is asked by its owner alone, has none but those that are set. */
    rateLimits: Object.fromEntries(
      limitNames.map((name) => {
        const given: unknown = data[limitVariable(name) as keyof typeof data];
        return [name, given ?? (data.ALLOW_LOOPBACK_DIDS ? undefined : defaultLimits[name])];
      }),
    ) as LimitQuotas,
  }));

/** What the server is configured with. */
export type Environment = z.output<typeof environmentSchema> & {
  /** RPC of each further chain that a did:pkh may name (`RPC_URL_<chain id>`). */
  chainRpcUrls: ReadonlyMap<number, string>;
};

/** The configuration is wrong: the server must not start. Names every wrong variable, and no value. */
export class InvalidEnvironmentError extends Error {
  override readonly name = "InvalidEnvironmentError";
}

/**
 * Reads the configuration. An empty variable counts as absent.
 * @throws InvalidEnvironmentError naming every wrong variable.
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = environmentSchema.safeParse(given);
  const chains = readChains(given);
  const problems = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join(".")} ${message}`),
    ...chains.problems,
  ];
  if (!parsed.success || problems.length > 0) {
    throw new InvalidEnvironmentError(`The configuration is not valid: ${problems.join("; ")}.`);
  }
  return { ...parsed.data, chainRpcUrls: chains.urls };
}

function readChains(variables: Readonly<Record<string, string | undefined>>) {
  const urls = new Map<number, string>();
  const problems: string[] = [];
  for (const [name, value] of Object.entries(variables)) {
    const chainId = /^RPC_URL_([1-9]\d{0,15})$/.exec(name)?.[1];
    if (chainId === undefined) continue;
    const parsed = httpUrl.safeParse(value);
    if (parsed.success) urls.set(Number(chainId), parsed.data);
    else problems.push(`${name} must be an http or https URL`);
  }
  return { urls, problems };
}

/** The folder of the workspace, from wherever in it the server was started. */
function repositoryRoot(): string {
  for (let folder = process.cwd(); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "pnpm-workspace.yaml"))) return folder;
  }
  return process.cwd();
}

/** The configuration of this process, read once. */
export const environment = once(() => readEnvironment(process.env));
