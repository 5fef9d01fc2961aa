import { KEY_VARIABLES } from "@app-registry/issuer";
import { LOCAL_CHAIN_ID } from "@app-registry/sdk";
import { z } from "zod";

export const RATE_LIMIT_WINDOW_SECONDS = 600;

/** Default maximum numbers of requests per window. The descriptions of their variables say what each limits. */
export const defaultLimits = {
  attestClient: 60,
  attestAddress: 30,
  attestHost: 20,
  attestChecksHost: 600,
  importClient: 60,
  readClient: 600,
  pictureClient: 600,
  searchClient: 1_200,
  pageClient: 600,
} as const;

export type LimitName = keyof typeof defaultLimits;

/**
 * Limits of requests that cost neither money nor requests to others. Each web process counts them in memory, up to its
 * share of the quota.
 */
export const limitsPerProcess: ReadonlySet<LimitName> = new Set(["searchClient", "pageClient"]);

/** Rate limits by name, as set by the operator or by default. `undefined` means no limit. */
export type LimitQuotas = Record<LimitName, number | undefined>;

const url = (protocols: RegExp) =>
  z
    .url({ protocol: protocols, error: "must be an http or https URL" })
    .transform((text) => text.replace(/\/$/, ""));
export const httpUrl = url(/^https?$/);
const httpUrls = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim()))
  .pipe(z.tuple([httpUrl], httpUrl));

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgresql URL" });

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
export const limitNames = Object.keys(defaultLimits) as LimitName[];
export const limitVariable = (name: LimitName) =>
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
  DATABASE_URL: postgresUrl
    .optional()
    .describe(
      "PostgreSQL for the index and for what the processes share. Default: one that `start` starts in POSTGRES_DIR",
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

const webVariables = {
  PUBLIC_URL: httpUrl
    .optional()
    .describe("Public origin. Required with an issuer's key, because wallets sign messages for it"),
  PUBLIC_RPC_URL: httpUrl
    .optional()
    .describe(
      "RPC endpoint for browsers. Required unless the chain is local, because RPC_URL may contain a key",
    ),
  DATABASE_READ_URL: postgresUrl
    .optional()
    .describe("PostgreSQL from which the web app reads the index, such as a standby. Default: DATABASE_URL"),
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
      "Proxies in front that each add an address to X-Forwarded-For. 0 ignores the header: all clients share the limits of one",
    ),
  WEB_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(1)
    .describe("Web processes behind the proxy. Each allows its share of a client's searches and pages"),
  PUBLISHED_VERSION: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/, "must be a version such as 1.0.0")
    .optional()
    .describe(
      "Version of the packages on npm that pages name in commands. Default: the packages that this registry serves at /packages/",
    ),
  ISSUERS_FILE: z.string().min(1).optional().describe("JSON file with the names of issuers"),
  REPORT_URL: z
    .url({ protocol: /^(https|mailto)$/, error: "must be an https or mailto URL" })
    .optional()
    .describe("Where visitors report a service. {did} in it becomes the DID"),
  SECURITY_CONTACT: z
    .url({ protocol: /^(https|mailto)$/, error: "must be an https or mailto URL" })
    .optional()
    .describe("Where to report a vulnerability of this registry, for /.well-known/security.txt"),
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

/** Variables of the indexer, the web app that reads its tables, and the worker. */
const indexVariables = {
  DATABASE_SCHEMA: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,44}$/, "must be up to 45 lower-case letters, digits and underscores")
    .default("app_registry")
    .describe("PostgreSQL schema of the index"),
  POLLING_INTERVAL: z.coerce
    .number()
    .int()
    .min(100)
    .optional()
    .describe("Milliseconds between two checks for a new block. Default 500, on chain 31337 250"),
  OFFCHAIN_DOCUMENTS: z
    .enum(["on", "off"])
    .default("on")
    .describe("off: documents that are only at their dataUrl are not read, and no live check runs"),
  PROBER: z
    .enum(["on", "off"])
    .optional()
    .describe("Run live checks. Default on where PUBLIC_URL is set, which the requests name"),
  WORKER_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(8)
    .describe("Most hosts that a worker requests at once"),
};

/** Variables of the settings, by the processes that read them. */
export const variableGroups = {
  "Every process": sharedVariables,
  "Web app": webVariables,
  "Issuer (web app and worker)": issuerVariables,
  "Index (web app, indexer and worker)": indexVariables,
  "Rate limits": limitVariables,
};

/** Schema of all variables, except those that name a chain (`RPC_URL_<chain id>`). */
export const variablesSchema = z.object({
  ...sharedVariables,
  ...webVariables,
  ...issuerVariables,
  ...indexVariables,
  ...limitVariables,
});

export const chainRpcUrl = /^RPC_URL_([1-9]\d{0,15})$/;

/** Returns true if a part reads a variable of this name. */
export const isVariable = (name: string): boolean => name in variablesSchema.shape || chainRpcUrl.test(name);
