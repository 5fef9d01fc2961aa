import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { KEY_VARIABLES, readAccount } from "@app-registry/issuer";
import { LOCAL_CHAIN_ID } from "@app-registry/sdk";
import { type LocalAccount, parseEther, parseGwei } from "viem";
import { z } from "zod";
import { defaultLimits, type LimitName, type LimitQuotas } from "./quotas.ts";

/** Milliseconds. */
const DAY = 86_400_000;

const url = (protocols: RegExp) =>
  z
    .url({ protocol: protocols, error: "must be an http or https URL" })
    .transform((text) => text.replace(/\/$/, ""));
const httpUrl = url(/^https?$/);
/** Several, comma-separated. */
const httpUrls = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim()))
  .pipe(z.tuple([httpUrl], httpUrl));

const port = z.coerce.number().int().min(1).max(65_535);

const flag = z.enum(["true", "false"]).transform((word) => word === "true");

/** Meanings of the limits; each is set by a variable: `readClient` by RATE_LIMIT_READ_CLIENT. */
const limitDescriptions: Record<LimitName, string> = {
  attestClient: "verify-and-attest, per client",
  attestAddress: "verify-and-attest, per wallet",
  attestHost: "verify-and-attest, per wallet and host or contract of a DID",
  attestChecksHost:
    "Checks of all wallets that request one host or contract. Keep it wide: strangers share it with the publisher",
  importClient: "Import routes, per client",
  readClient: "Reads that may fetch a document, per client",
  pictureClient: "Pictures that services name, per client",
  searchClient: "Searches, per client",
  pageClient: "Pages that search or verify, per client",
};
const limitNames = Object.keys(defaultLimits) as LimitName[];
const limitVariable = (name: LimitName) =>
  `RATE_LIMIT_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}` as `RATE_LIMIT_${string}`;
const quota = (name: LimitName) =>
  z.coerce
    .number()
    .int()
    .positive()
    .max(1_000_000)
    .optional()
    .describe(`${limitDescriptions[name]}. Default ${defaultLimits[name]}`);
const limitVariables = Object.fromEntries(limitNames.map((name) => [limitVariable(name), quota(name)]));

const keyDescriptions: Record<(typeof KEY_VARIABLES)[number], string> = {
  ISSUER_PRIVATE_KEY_FILE: "File that contains the issuer's key. Without a key, the server attests nothing",
  ISSUER_ACCOUNT_MODULE: "ES module that returns the issuer's viem account, for a KMS",
  ISSUER_PRIVATE_KEY: "The issuer's key itself. Only for local stacks",
};
const accountVariables = Object.fromEntries(
  KEY_VARIABLES.map((name) => [name, z.string().optional().describe(keyDescriptions[name])]),
) as Record<(typeof KEY_VARIABLES)[number], z.ZodOptional<z.ZodString>>;

/** A local stack is asked by its owner alone. */
function clientSpendingCap(data: {
  ISSUER_SPENDING_CAP: number;
  ISSUER_CLIENT_SPENDING_CAP?: number | undefined;
  ALLOW_LOOPBACK_DIDS: boolean;
}): bigint | undefined {
  const own = data.ALLOW_LOOPBACK_DIDS ? data.ISSUER_SPENDING_CAP : undefined;
  const cap = data.ISSUER_CLIENT_SPENDING_CAP ?? own;
  return cap === undefined ? undefined : parseEther(cap.toFixed(18));
}

/** The prober tells the hosts that it asks where it is explained. */
const defaultProber = ({ CHAIN_ID, PUBLIC_URL }: { CHAIN_ID: number; PUBLIC_URL?: string | undefined }) =>
  PUBLIC_URL !== undefined || CHAIN_ID === LOCAL_CHAIN_ID ? "on" : "off";

/** Variables of every process. */
const sharedVariables = {
  CHAIN_ID: z.coerce.number().int().positive().default(LOCAL_CHAIN_ID).describe("Chain of the deployment"),
  RPC_URL: httpUrls
    .default(["http://127.0.0.1:8545"])
    .describe(
      "RPC endpoints, comma-separated. The indexer spreads its requests over them; others use the next one when one fails",
    ),
  DEPLOYMENT_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Deployment file. Default deployments/<CHAIN_ID>.json. Processes refuse a file whose ABIs are not theirs",
    ),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be a postgresql URL" })
    .optional()
    .describe(
      "PostgreSQL for the index and for what the processes share. Needed for more than one process with one key. Default: PGlite and memory",
    ),
  BACKGROUND_WORK: z
    .enum(["here", "worker"])
    .default("here")
    .describe(
      "Process that revalidates, reads documents and runs live checks: here, the web app and the indexer; worker, the worker, which needs DATABASE_URL",
    ),
  HIDDEN_FILE: z.string().min(1).optional().describe("JSON file of hidden services and public reasons"),
  METRICS_PORT: port.optional().describe("Port of probes and metrics"),
  METRICS_HOST: z
    .union([z.ipv4(), z.ipv6()])
    .default("127.0.0.1")
    .describe("Address on which probes and metrics listen"),
  ALLOW_LOOPBACK_DIDS: flag
    .default(false)
    .describe("Allow hosts on this machine, also over plain http. Only on chain 31337"),
};

/** Variables of the web app. */
const webVariables = {
  PUBLIC_URL: httpUrl
    .optional()
    .describe("Public origin. Required with an issuer's key, because wallets sign messages for it"),
  PUBLIC_RPC_URL: httpUrl
    .optional()
    .describe("RPC endpoint for browsers. Required off the local chain, because RPC_URL may contain a key"),
  INDEXER_URL: httpUrls
    .default(["http://127.0.0.1:42069"])
    .describe("Indexers and readers, comma-separated, used in this order until one responds"),
  INDEX_LAG_LIMIT: z.coerce
    .number()
    .int()
    .nonnegative()
    .max(1_000_000)
    .default(100)
    .describe("Blocks that the index may be behind before health is degraded"),
  TRUSTED_PROXIES: z.coerce
    .number()
    .int()
    .nonnegative()
    .max(10)
    .default(0)
    .describe(
      "Proxies in front that each add an address to X-Forwarded-For. 0 ignores the header: a client is the socket's address",
    ),
  SHUTDOWN_SECONDS: z.coerce
    .number()
    .positive()
    .max(3_600)
    .default(25)
    .describe("Seconds that a stopping process has for its open requests"),
  ISSUERS_FILE: z.string().min(1).optional().describe("JSON file with the names of issuers"),
  REPORT_URL: z
    .url({ protocol: /^(https|mailto)$/, error: "must be an https or mailto URL" })
    .optional()
    .describe("Where visitors report a service. {did} in it becomes the DID"),
  FAUCET_URL: z
    .url({ protocol: /^https$/, error: "must be an https URL" })
    .optional()
    .describe("Where the wizard sends a wallet that can't pay. {address} in it becomes the wallet's address"),
  WALLETCONNECT_PROJECT_ID: z.string().optional().describe("Also offers wallets on other devices"),
};

/** Variables of the processes that attest and revalidate. */
const issuerVariables = {
  ...accountVariables,
  ISSUER_MODE: z
    .enum(["send", "sign"])
    .default("send")
    .describe("send: the issuer sends and pays; sign: it signs, and publishers send and pay"),
  ISSUER_REQUIRE_SIWE: flag
    .optional()
    .describe(
      "Attest only for callers who prove that they hold the wallet. Default true, on chain 31337 false. With false, a stranger can choose which of a document's keys becomes the first controller",
    ),
  ISSUER_MAX_FEE_GWEI: z.coerce
    .number()
    .positive()
    .max(1_000_000)
    .default(500)
    .describe("Highest price per gas that the issuer pays"),
  ISSUER_SPENDING_CAP: z.coerce
    .number()
    .positive()
    .max(1_000_000_000)
    .default(1)
    .describe("Most that the issuer spends in an hour, in the chain's currency"),
  ISSUER_CLIENT_SPENDING_CAP: z.coerce
    .number()
    .positive()
    .max(1_000_000_000)
    .optional()
    .describe("Most of it for the requests of one client. Default a tenth of ISSUER_SPENDING_CAP"),
  ISSUER_LOW_BALANCE: z.coerce
    .number()
    .int()
    .nonnegative()
    .default(100)
    .describe("Warn when the balance covers fewer attestations"),
  ISSUER_REVALIDATION: z
    .enum(["on", "off"])
    .default("on")
    .describe("off: attestations are not checked again, and expire"),
  ISSUER_REVALIDATION_DAYS: z.coerce
    .number()
    .positive()
    .max(365)
    .default(30)
    .describe("Days within which every attestation is checked again"),
  DID_WEB_TXT: flag
    .default(false)
    .describe(
      "Accept a DNS TXT record as a second proof of control of a did:web. Needs a name server that validates DNSSEC",
    ),
};

/** Variables of the indexer, its readers and the worker. */
const indexVariables = {
  DATABASE_SCHEMA: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,44}$/, "must be up to 45 lower-case letters, digits and underscores")
    .default("app_registry")
    .describe("PostgreSQL schema of the index"),
  PGLITE_DIR: z
    .string()
    .min(1)
    .default(".ponder/pglite")
    .describe("Folder of the embedded database, without DATABASE_URL"),
  POLLING_INTERVAL: z.coerce
    .number()
    .int()
    .min(100)
    .optional()
    .describe("Milliseconds between two checks for a new block. Default 1000, on chain 31337 250"),
  OFFCHAIN_DOCUMENTS: z
    .enum(["on", "off"])
    .default("on")
    .describe("off: documents that are only at their dataUrl are not read, and no live check runs"),
  PROBER: z
    .enum(["on", "off"])
    .optional()
    .describe("Run live checks. Default on where PUBLIC_URL is set, which the requests name"),
};

/** Variables of the settings, by the processes that read them. */
export const variableGroups = {
  "Every process": sharedVariables,
  "Web app": webVariables,
  "Issuer (web app and worker)": issuerVariables,
  "Indexer, readers and worker": indexVariables,
  "Rate limits": limitVariables,
};

const variablesSchema = z.object({
  ...sharedVariables,
  ...webVariables,
  ...issuerVariables,
  ...indexVariables,
  ...limitVariables,
});

const chainRpcUrl = /^RPC_URL_([1-9]\d{0,15})$/;

/** Whether a part reads a variable of that name. */
export const isVariable = (name: string): boolean => name in variablesSchema.shape || chainRpcUrl.test(name);

const environmentSchema = variablesSchema.transform((data) => ({
  chainId: data.CHAIN_ID,
  /** Endpoints of the chain; each is asked when those before it fail. */
  rpcUrls: data.RPC_URL as readonly string[],
  deploymentFile: resolve(
    // A bundler that followed this would take every file of the project along.
    /* turbopackIgnore: true */
    data.DEPLOYMENT_FILE ?? join(repositoryRoot(), "deployments", `${data.CHAIN_ID}.json`),
  ),
  /** The RPC that browsers are told; anybody can read it. */
  publicRpcUrl: data.PUBLIC_RPC_URL ?? data.RPC_URL[0],
  /** Offers wallets on other devices, through WalletConnect. */
  walletConnectProjectId: data.WALLETCONNECT_PROJECT_ID,
  /** Indexers of the same chain, asked in this order. */
  indexerUrls: data.INDEXER_URL as readonly string[],
  /** Blocks that the index may be behind the chain before health is degraded. */
  indexLagLimit: data.INDEX_LAG_LIMIT,
  /** Origin at which people reach this site, without a slash at its end. */
  publicUrl: data.PUBLIC_URL ?? "http://localhost:3000",
  /** `sign`: publishers send what the issuer signs, and pay for it. */
  issuerMode: data.ISSUER_MODE,
  /** The most that the issuer pays per gas, in wei. */
  issuerMaxFeePerGas: parseGwei(String(data.ISSUER_MAX_FEE_GWEI)),
  /** The most that the issuer spends in an hour, in wei. */
  issuerSpendingCap: parseEther(data.ISSUER_SPENDING_CAP.toFixed(18)),
  /** The most of it on the requests of one client, in wei; undefined for the issuer's default. */
  issuerClientSpendingCap: clientSpendingCap(data),
  /** Attestations that the issuer's balance must pay for, or the log warns. */
  issuerLowBalance: data.ISSUER_LOW_BALANCE,
  /** Milliseconds within which every attestation is checked again; undefined when none is. */
  issuerRevalidationPeriod:
    data.ISSUER_REVALIDATION === "on" ? data.ISSUER_REVALIDATION_DAYS * DAY : undefined,
  /**
   * Attests only to callers who show that they hold the wallet (EIP-4361). Off the local chain strangers ask, and could
   * choose which wallet of a document is its DID's first controller.
   */
  requireWalletProof: data.ISSUER_REQUIRE_SIWE ?? data.CHAIN_ID !== LOCAL_CHAIN_ID,
  /** PostgreSQL that all processes share; without it one process alone may attest, and the index is a PGlite. */
  databaseUrl: data.DATABASE_URL,
  /** The schema that the chain is indexed into. */
  databaseSchema: data.DATABASE_SCHEMA,
  /** Folder of the index without a PostgreSQL. */
  pgliteDirectory: data.PGLITE_DIR,
  /** Milliseconds between two looks of the indexer for a new block. */
  pollingInterval: data.POLLING_INTERVAL ?? (data.CHAIN_ID === LOCAL_CHAIN_ID ? 250 : 1_000),
  /** Whether documents that are only at their dataUrl are read. */
  readsOffchainDocuments: data.OFFCHAIN_DOCUMENTS === "on",
  /** Whether services are asked daily whether they are live; by the worker that reads documents. */
  probesServices: data.OFFCHAIN_DOCUMENTS === "on" && (data.PROBER ?? defaultProber(data)) === "on",
  /** Who does what nobody asks for: the process that also answers (web revalidates, the indexer reads documents), or the worker. */
  backgroundWork: data.BACKGROUND_WORK,
  /** Where metrics and probes are served; undefined for nowhere. */
  metrics: data.METRICS_PORT === undefined ? undefined : { port: data.METRICS_PORT, host: data.METRICS_HOST },
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
  /** Opens the issuer's account; undefined when no key is set, so that nothing is attested. The indexer has none. */
  issuerAccount: (() => Promise<LocalAccount>) | undefined;
  /** What is not safe, a sentence each. */
  warnings: readonly string[];
  /** RPC of each further chain that a did:pkh may name (`RPC_URL_<chain id>`). */
  chainRpcUrls: ReadonlyMap<number, string>;
};

/** The configuration is wrong: the server must not start. Names every wrong variable, and no value. */
export class InvalidEnvironmentError extends Error {
  override readonly name = "InvalidEnvironmentError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not valid: ${problems.join("; ")}.`);
    this.problems = problems;
  }
}

/** The kinds of processes, which need different variables of one configuration. */
export type Part = "web" | "indexer" | "worker";

/** What is missing or contradicts something else, whether or not every value is valid. */
function findContradictions(given: Variables, part: Part): string[] {
  const isLocal = Number(given.CHAIN_ID ?? LOCAL_CHAIN_ID) === LOCAL_CHAIN_ID;
  const asksForProof = given.ISSUER_REQUIRE_SIWE ? given.ISSUER_REQUIRE_SIWE !== "false" : !isLocal;
  const hasKey = KEY_VARIABLES.some((name) => given[name]);
  const sharesWork = part === "worker" || given.BACKGROUND_WORK === "worker";
  const rules: [isBroken: boolean, problem: string][] = [
    [
      given.ALLOW_LOOPBACK_DIDS === "true" && !isLocal,
      `ALLOW_LOOPBACK_DIDS may be true on the local chain ${LOCAL_CHAIN_ID} only: it lets strangers make this server send requests to its own network`,
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
      sharesWork && !given.DATABASE_URL,
      "DATABASE_URL must be set: the worker and the other processes share their job queue there",
    ],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, problem]) => problem);
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration of one part. An empty variable counts as absent.
 * @throws InvalidEnvironmentError naming every wrong variable.
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

/** The folder of the workspace, from wherever in it the server was started. */
function repositoryRoot(): string {
  for (let folder = process.cwd(); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "pnpm-workspace.yaml"))) return folder;
  }
  return process.cwd();
}
