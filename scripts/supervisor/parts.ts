import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { readIssuerNames } from "../../apps/web/lib/server/issuerNames.ts";
import { LOCAL_CHAIN_ID } from "../../packages/sdk/src/local.ts";
import { readDeployment } from "../../packages/server/src/connections.ts";
import { InvalidEnvironmentError, readEnvironment } from "../../packages/server/src/environment.ts";
import { readHiddenServices } from "../../packages/server/src/hiddenServices.ts";
import { isVariable } from "../../packages/server/src/variables.ts";
import { NEXT_DIRECTORY, webServer } from "../stack/buildWeb.ts";
import { defaultPostgresDirectory } from "../stack/postgres.ts";
import { type Program, rootDirectory } from "../stack/processes.ts";
import { indexer, web, worker } from "../stack/programs.ts";

export const partNames = ["web", "indexer", "worker"] as const;

type PartName = (typeof partNames)[number];

export interface ProcessSpec extends Program {
  name: string;
  environment: NodeJS.Dict<string>;
  /** URL of its metrics and health endpoints. */
  metrics: string;
}

const port = z.coerce.number().int().min(1).max(65_000);

const address = z.union([z.ipv4(), z.ipv6()]).default("127.0.0.1");

/** Variables that only `start` reads. Each further process of a kind has the next port. */
export const runnerSchema = z.object({
  WEB_HOST: address.describe("Address on which the web app listens"),
  WEB_PORT: port.default(3_000).describe("Port of the first web process"),
  WEB_PROCESSES: z.coerce.number().int().min(1).max(64).default(1).describe("Web processes"),
  INDEXER_HOST: address.describe("Address on which the indexer listens"),
  INDEXER_PORT: port.default(42_069).describe("Port of the indexer"),
  METRICS_PORT: port
    .default(9_464)
    .describe(
      "Metrics port of the web app; the indexer has the next one, then the worker. Further web processes have ten more",
    ),
  POSTGRES_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Folder of the PostgreSQL that `start` starts without DATABASE_URL. Default .local/postgres, as root a folder in /var/lib/app-registry",
    ),
});

/** URL that stands for that of the embedded PostgreSQL, which is known once it runs. */
const EMBEDDED_URL = "postgresql://127.0.0.1/postgres";

type Runner = z.output<typeof runnerSchema>;

/** Settings that name a file or folder. */
const paths = [
  ...["DEPLOYMENT_FILE", "HIDDEN_FILE", "ISSUERS_FILE", "POSTGRES_DIR"],
  ...["ISSUER_PRIVATE_KEY_FILE", "ISSUER_ACCOUNT_MODULE"],
];

/** Offsets of the parts' metrics ports from METRICS_PORT. Each further process of a part adds ten. */
const metricsOffsets: Record<PartName, number> = { web: 0, indexer: 1, worker: 2 };

/** Settings, the names of those in a file, and the folder that paths are relative to. */
export interface StartInput {
  variables: NodeJS.Dict<string>;
  inFile: readonly string[];
  directory: string;
}

/**
 * Returns the processes to start (the named ones, or the default of the settings), and all problems of their settings.
 * `postgresDirectory` is the folder of the PostgreSQL to start for them, if the settings name none: the processes' URL
 * of it must then be set. Processes that are started one by one need a PostgreSQL of their own.
 */
export function readParts(given: StartInput, named: readonly string[]) {
  const parts: ProcessSpec[] = [];
  const problems = new Set<string>();
  const variables = { ...given.variables };
  for (const name of paths) {
    if (variables[name]) variables[name] = resolve(given.directory, variables[name]);
  }
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
  const isEmbedded = !set.DATABASE_URL && named.length === 0;
  if (isEmbedded) set.DATABASE_URL = EMBEDDED_URL;
  const runner = runnerSchema.safeParse(set);
  for (const { path, message } of runner.error?.issues ?? []) problems.add(`${path.join(".")} ${message}`);
  for (const name of given.inFile) {
    if (!isVariable(name) && !(name in runnerSchema.shape)) problems.add(`${name} is not a setting`);
  }
  for (const name of named) {
    if (!partNames.includes(name as PartName))
      problems.add(`${name} is not a part of the registry: ${partNames.join(", ")}`);
  }
  const wanted = named.length > 0 ? (named as PartName[]) : defaultParts;
  for (const task of [...wanted.map((name) => () => readEnvironment(set, name)), ...listFiles(wanted, set)]) {
    collect(problems, task);
  }
  if (problems.size === 0 && runner.success) {
    parts.push(...wanted.flatMap((name) => createProcessSpecs(name, runner.data, set)));
  }
  const postgresDirectory = isEmbedded ? (set.POSTGRES_DIR ?? defaultPostgresDirectory) : undefined;
  const isOpen = wanted.includes("web") && runner.success && !isLoopback(runner.data.WEB_HOST);
  const notes = isOpen ? [describeOpenAddress(runner.data, Number(set.TRUSTED_PROXIES ?? 0))] : [];
  return { parts, problems: [...problems], postgresDirectory, notes };
}

const isLoopback = (host: string): boolean => host.startsWith("127.") || host === "::1";

function describeOpenAddress({ WEB_HOST }: Runner, trustedProxies: number): string {
  const listens = `The web app listens on ${WEB_HOST}, which other machines may reach without a proxy.`;
  return trustedProxies > 0
    ? `${listens} They can write X-Forwarded-For, which TRUSTED_PROXIES has this server trust.`
    : `${listens} All its clients share the limits of one.`;
}

const defaultParts: PartName[] = ["indexer", "worker", "web"];

/** Lists separate checks of the files that parts need, so that all problems are reported together. */
function listFiles(parts: readonly PartName[], variables: NodeJS.Dict<string>): (() => unknown)[] {
  const chainId = Number(variables.CHAIN_ID ?? LOCAL_CHAIN_ID);
  const deploymentFile = variables.DEPLOYMENT_FILE ?? join(rootDirectory, "deployments", `${chainId}.json`);
  const all = [
    () => readDeployment({ chainId, deploymentFile }),
    () => readHiddenServices(variables.HIDDEN_FILE),
  ];
  return parts.includes("web")
    ? [...all, () => readIssuerNames(variables.ISSUERS_FILE), assertWebBuilt]
    : all;
}

function assertWebBuilt(): void {
  if (existsSync(webServer(NEXT_DIRECTORY))) return;
  throw new InvalidEnvironmentError(["The web app is not built: npx -y pnpm@10 build"]);
}

function collect(problems: Set<string>, task: () => void): void {
  try {
    task();
  } catch (error) {
    const found = error instanceof InvalidEnvironmentError ? error.problems : [(error as Error).message];
    for (const problem of found) problems.add(problem);
  }
}

function createProcessSpecs(name: PartName, runner: Runner, variables: NodeJS.Dict<string>): ProcessSpec[] {
  const { WEB_HOST: host, WEB_PORT, INDEXER_HOST, INDEXER_PORT } = runner;
  const parameters = ["--log-format", "json"];
  const options = { host: INDEXER_HOST, schema: variables.DATABASE_SCHEMA, parameters };
  const programs: Record<PartName, (index: number) => Program> = {
    web: (index) => web(WEB_PORT + index, { host }),
    indexer: () => indexer(INDEXER_PORT, options),
    worker: () => worker,
  };
  const counts = { web: runner.WEB_PROCESSES, indexer: 1, worker: 1 };
  return Array.from({ length: counts[name] }, (_, index) => {
    const metricsPort = String(runner.METRICS_PORT + metricsOffsets[name] + 10 * index);
    const program = programs[name](index);
    return {
      ...program,
      name: counts[name] > 1 ? `${name}-${index + 1}` : name,
      environment: { ...variables, ...program.environment, METRICS_PORT: metricsPort },
      metrics: `http://${variables.METRICS_HOST ?? "127.0.0.1"}:${metricsPort}`,
    };
  });
}
