import { createReadStream, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { createGuardedFetch, type GuardedFetch } from "@app-registry/outbound";
import {
  AbiMismatchError,
  type AppRegistryClient,
  AppRegistryError,
  type CanonicalDid,
  ContractRevertError,
  ControlNotAttestedError,
  createAppRegistryClient,
  type Deployment,
  type FetchDocument,
  InvalidDeploymentError,
  InvalidDidError,
  InvalidSearchError,
  InvalidSubjectError,
  InvalidTraitError,
  InvalidVersionError,
  LOCAL_CHAIN_ID,
  parseDeployment,
  registryInfoSchema,
  type VersionSelector,
  WrongChainError,
} from "@app-registry/sdk";
import { requestJson, withoutKey } from "@app-registry/sdk/internal";
import { type Command, Option } from "@commander-js/extra-typings";
import { createPublicClient, createWalletClient, http, type LocalAccount, type PublicClient } from "viem";

/** Exit codes of the command, for scripts. */
export const ExitCode = {
  /** The command succeeded, and every fact passes. */
  ok: 0,
  /** A fact fails, a document has problems, or the registry rejects the request. */
  failed: 1,
  /** The arguments, the configuration or the key are invalid. Nothing was contacted. */
  usage: 2,
  /** A host or the chain did not respond, so the result is unknown. Try again. */
  unknown: 3,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Error for invalid arguments, an invalid configuration or an invalid key. */
export class UsageError extends AppRegistryError {
  override readonly name = "UsageError";

  constructor(message: string, action?: string) {
    super(message, { action, docsPath: "/cli" });
  }
}

const inputErrors = [
  UsageError,
  InvalidDidError,
  InvalidVersionError,
  InvalidTraitError,
  InvalidSearchError,
  InvalidSubjectError,
  AbiMismatchError,
  InvalidDeploymentError,
  WrongChainError,
];

export function toExitCode(error: AppRegistryError): ExitCode {
  if (inputErrors.some((type) => error instanceof type)) return ExitCode.usage;
  // A revert is a definite result, even if a later call may succeed.
  if (error instanceof ContractRevertError) return ExitCode.failed;
  // So is an attestation that has not matured yet.
  if (error instanceof ControlNotAttestedError && error.answer.status === "waiting") return ExitCode.failed;
  return error.retryable ? ExitCode.unknown : ExitCode.failed;
}

/**
 * Reads UTF-8 text from a file or a stream. Reads no more than `maxBytes`, so that no device or endless stream fills the
 * memory. Keeps a byte order mark, so that a parser can reject it.
 *
 * @param name Name in the error, such as `The file x.json`.
 * @throws {UsageError} if it can't be read, is larger or is not UTF-8 text.
 */
export async function readTextFile(
  name: string,
  source: string | Readable,
  maxBytes: number,
): Promise<string> {
  const refuse = (reason: string) => new UsageError(`${name} ${reason}.`, "Check the path.");
  const stream = typeof source === "string" ? createReadStream(source) : source;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) break;
    }
  } catch {
    throw refuse("can't be read");
  }
  if (size > maxBytes) throw refuse(`is larger than ${maxBytes} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw refuse("is not UTF-8 text");
  }
}

const LOCAL_RPC_URL = "http://127.0.0.1:8545";

export type Connection = {
  deployment: Deployment;
  publicClient: PublicClient;
  client: AppRegistryClient;
  /** URL of the registry's web service, if known. */
  appUrl: string | undefined;
  /** Packages of the registry's web service, as `npx` takes them, by name without scope. */
  packages: Record<string, string> | undefined;
  /** Time limit for a host or the chain, in milliseconds. */
  timeoutMs: number;
  /** True on the local chain, where loopback hosts are allowed. */
  local: boolean;
  /** Fetches what records and hosts name. It reaches public addresses only, and on the local chain also loopback. */
  guardedFetch: GuardedFetch;
  /** Fetches the text of a document with `guardedFetch`. */
  fetchDocument: FetchDocument;
  signer(account: LocalAccount): AppRegistryClient;
};

/** Options of every command: the location of the registry, and the time limit for a host or the chain in seconds. */
export type RootOptions = {
  registry?: string | undefined;
  deployment?: string | undefined;
  rpcUrl?: string | undefined;
  timeout: number;
  json?: true | undefined;
};

/** Default time limit for a host or the chain, in seconds. */
const DEFAULT_TIMEOUT = 15;

function parseSeconds(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value > 0 && value <= 3_600)) {
    throw new UsageError("--timeout must be a number of seconds greater than 0 and at most 3600.");
  }
  return value;
}

/** Adds the options that locate the registry and its chain, which {@link connect} reads. */
export function addRegistryOptions(program: Command) {
  return program
    .addOption(
      new Option(
        "--app, --registry <url>",
        "URL of the registry's web service (provides the contract addresses and the issuer)",
      ).env("APP_URL"),
    )
    .addOption(
      new Option(
        "--deployment <file>",
        "deployment file with the contract addresses, instead of a web service",
      ).env("DEPLOYMENT_FILE"),
    )
    .addOption(new Option("--rpc-url <url>", "JSON-RPC endpoint of the chain").env("RPC_URL"))
    .option(
      "--timeout <seconds>",
      "maximum time to wait for a host or the chain",
      parseSeconds,
      DEFAULT_TIMEOUT,
    );
}

type RegistryLocation = Pick<Connection, "deployment" | "appUrl"> & {
  rpcUrl: string | undefined;
  packages?: Connection["packages"];
};

/**
 * Finds the registry: from a deployment file, else from a registry's web service, else the local stack of the
 * repository that contains the working directory.
 *
 * @throws {UsageError} if none is configured.
 * @throws {InvalidDeploymentError} if the deployment is invalid.
 * @throws {ServiceUnavailableError} if the web service does not respond.
 */
export async function connect(options: RootOptions): Promise<Connection> {
  const timeoutMs = options.timeout * 1_000;
  const { deployment, rpcUrl, appUrl, packages } = await findRegistry(options, timeoutMs);
  const local = deployment.chainId === LOCAL_CHAIN_ID;
  const url = rpcUrl ?? (local ? LOCAL_RPC_URL : undefined);
  if (url === undefined) {
    throw new UsageError(
      `Reading chain ${deployment.chainId} requires an RPC endpoint, but none is set.`,
      "Pass --rpc-url or set RPC_URL.",
    );
  }
  const transport = http(httpUrl(url, "--rpc-url"), { batch: true, timeout: timeoutMs, retryCount: 0 });
  // A contract's CCIP-read (EIP-3668) would request URLs that the contract names.
  const publicClient = createPublicClient({
    ...{ transport, pollingInterval: local ? 200 : 2_000, ccipRead: false },
  });
  const guardedFetch = createGuardedFetch({ allowLoopback: local, timeout: timeoutMs });
  return {
    deployment,
    publicClient,
    client: createAppRegistryClient({ deployment, publicClient }),
    appUrl,
    packages,
    timeoutMs,
    local,
    guardedFetch,
    fetchDocument: async (url, { signal }) => (await guardedFetch.fetchDocument(url, { signal })).text,
    signer: (account) =>
      createAppRegistryClient({
        deployment,
        publicClient,
        walletClient: createWalletClient({ account, transport }),
      }),
  };
}

async function findRegistry(given: RootOptions, timeoutMs: number): Promise<RegistryLocation> {
  // Scripts set a variable to nothing to unset it.
  const [registry, deployment, rpcUrl] = [given.registry, given.deployment, given.rpcUrl].map(
    (text) => text || undefined,
  );
  const options = { registry, deployment, rpcUrl };
  const appUrl = options.registry === undefined ? undefined : httpUrl(options.registry, "--registry");
  // fetch refuses such a URL, and errors would repeat its password.
  if (appUrl !== undefined && /^\w+:\/\/[^/?#\\]*@/.test(appUrl))
    throw new UsageError("--registry can't contain a user name or a password.");
  if (options.deployment !== undefined) {
    return { deployment: await readDeployment(options.deployment), rpcUrl: options.rpcUrl, appUrl };
  }
  if (appUrl !== undefined) {
    const answer = await requestJson({ baseUrl: appUrl, timeoutMs }, "/api/deployment", registryInfoSchema);
    const { rpcUrl, packages, ...deployment } = answer;
    return { deployment, rpcUrl: options.rpcUrl ?? rpcUrl, appUrl, packages };
  }
  const stack = await findLocalStack();
  if (stack) return { ...stack, rpcUrl: options.rpcUrl ?? stack.rpcUrl };
  throw new UsageError(
    "No registry is configured.",
    "Pass --registry <url> (or set APP_URL), or pass --deployment <file> (or set DEPLOYMENT_FILE) with --rpc-url.",
  );
}

function httpUrl(text: string, option: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new UsageError(`${option} is not an http or https URL.`);
}

/** Maximum size of a deployment file, in bytes. */
const MAX_DEPLOYMENT_SIZE = 1_048_576;

const readDeployment = async (file: string): Promise<Deployment> =>
  parseDeployment(await readTextFile(`The deployment file ${withoutKey(file)}`, file, MAX_DEPLOYMENT_SIZE));

/** Finds the running development stack of the repository, else its deployment on the local chain. */
async function findLocalStack(): Promise<RegistryLocation | undefined> {
  const folders = [process.cwd()];
  for (let folder = process.cwd(); folder !== dirname(folder); folder = dirname(folder))
    folders.push(dirname(folder));
  const repository = folders.find((folder) => existsSync(join(folder, "pnpm-workspace.yaml")));
  if (repository === undefined) return undefined;
  const stackFile = join(repository, ".local/dev/stack.json");
  if (existsSync(stackFile)) {
    const stack = JSON.parse(await readFile(stackFile, "utf8")) as Record<string, string>;
    const { deploymentFile = "", rpcUrl, webUrl: appUrl } = stack;
    if (existsSync(deploymentFile))
      return { deployment: await readDeployment(deploymentFile), rpcUrl, appUrl };
  }
  const file = join(repository, `deployments/${LOCAL_CHAIN_ID}.json`);
  if (!existsSync(file)) return undefined;
  return { deployment: await readDeployment(file), rpcUrl: undefined, appUrl: undefined };
}

export type Service = { did: CanonicalDid; version: VersionSelector | undefined };
