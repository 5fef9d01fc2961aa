import { readFileSync, statfsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { AppRegistryError } from "@app-registry/sdk";
import { type Hex, isAddress, isHex, type LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** Environment variables that locate the issuer's key. At most one may be set. */
export const KEY_VARIABLES = [
  "ISSUER_PRIVATE_KEY",
  "ISSUER_PRIVATE_KEY_FILE",
  "ISSUER_ACCOUNT_MODULE",
] as const;

/** Error for an account module that returns no account. Retryable if a service that it calls may be unavailable. */
export class AccountError extends AppRegistryError {
  override readonly name = "AccountError";

  constructor(message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, {
      action: "Fix the module or its settings.",
      docsPath: "/keys#use-a-kms",
      ...options,
    });
  }
}

/** Maximum size of a key file, in bytes. */
const MAX_BYTES = 1_024;

/** Type numbers of in-memory file systems (tmpfs, ramfs), where container platforms and systemd mount secrets. */
const MEMORY_FILE_SYSTEMS = new Set([0x01021994, 0x858458f6]);

/**
 * Reads the location of the issuer's key: the value of `ISSUER_PRIVATE_KEY`, the file `ISSUER_PRIVATE_KEY_FILE`, or the
 * ES module `ISSUER_ACCOUNT_MODULE`, whose default export is a function that returns a viem account with local signing.
 * Treats an empty variable as absent.
 *
 * @param problems Receives a clause per problem. None contains a value, which could be a key.
 * @param warnings Receives a sentence per security risk.
 * @returns A function that opens the account and caches it, or `undefined` if no variable is set or one is invalid. It
 * rejects with `AccountError`, and the next call retries.
 * @example
 * const problems: string[] = [];
 * const openAccount = readAccount(process.env, problems);
 * const account = await openAccount?.();
 */
export function readAccount(
  variables: Readonly<Record<string, string | undefined>>,
  problems: string[],
  warnings: string[] = [],
): (() => Promise<LocalAccount>) | undefined {
  const given = KEY_VARIABLES.filter((name) => variables[name]);
  if (given.length > 1) {
    problems.push(`${given.join(" and ")} are set: set one of them`);
    return undefined;
  }
  const [name] = given;
  const value = name && variables[name];
  if (!value) return undefined;
  const [inVariable, , asModule] = KEY_VARIABLES;
  if (name === asModule) return readModule(name, value, problems);
  const key = name === inVariable ? value : readKeyFile(name, value, problems, warnings);
  if (key === undefined) return undefined;
  const account = toLocalAccount(key);
  if (!account) {
    problems.push(`${name} must ${name === inVariable ? "be" : "name a file that holds"} ${KEY_FORMAT}`);
    return undefined;
  }
  return async () => account;
}

const KEY_FORMAT = "a secp256k1 private key (0x and 64 hex digits)";

/**
 * Creates an account from a private key. Returns `undefined` if it is invalid, because viem's error contains the key.
 */
function toLocalAccount(key: string): LocalAccount | undefined {
  if (!isHex(key) || key.length !== 66) return undefined;
  try {
    return privateKeyToAccount(key as Hex);
  } catch {
    return undefined;
  }
}

/** Reads a key file without its trailing line break. */
function readKeyFile(name: string, path: string, problems: string[], warnings: string[]): string | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) {
      problems.push(`${name} must name a file that holds ${KEY_FORMAT}`);
      return undefined;
    }
    // Don't warn about in-memory file systems: a secret mount is often readable by everyone, but only in its container.
    if ((stats.mode & 0o004) !== 0 && !MEMORY_FILE_SYSTEMS.has(statfsSync(path).type)) {
      warnings.push(`Every user on this machine can read the file in ${name}. Set its mode to 0400.`);
    }
    return readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    problems.push(`${name} can't be read (${getErrorCode(error)})`);
    return undefined;
  }
}

function readModule(
  name: string,
  path: string,
  problems: string[],
): (() => Promise<LocalAccount>) | undefined {
  try {
    if (!statSync(path).isFile()) throw new Error("a folder");
  } catch {
    problems.push(`${name} must be the path of an ES module`);
    return undefined;
  }
  const url = pathToFileURL(resolve(path)).href;
  let opened: Promise<LocalAccount> | undefined;
  return () => {
    opened ??= openModule(name, url).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

async function openModule(name: string, url: string): Promise<LocalAccount> {
  // Hide the import from bundlers: the operator sets the URL at runtime.
  const module: { default?: unknown } = await import(
    /* turbopackIgnore: true */ /* webpackIgnore: true */ /* @vite-ignore */ url
  ).catch((cause: unknown) => {
    throw new AccountError(`${name} can't be loaded (${getErrorCode(cause)}).`, { cause });
  });
  const { default: open } = module;
  if (typeof open !== "function") {
    throw new AccountError(`The default export of ${name} is not a function.`);
  }
  const account: unknown = await Promise.resolve()
    .then(() => open())
    .catch((cause: unknown) => {
      const message = `The function in ${name} failed (${getErrorCode(cause)}).`;
      throw new AccountError(message, { cause, retryable: true });
    });
  if (!isLocalAccount(account)) {
    throw new AccountError(
      `The function in ${name} must return a viem account that signs locally (see viem's toAccount).`,
    );
  }
  return account;
}

function isLocalAccount(value: unknown): value is LocalAccount {
  if (typeof value !== "object" || value === null) return false;
  const account = value as Partial<LocalAccount>;
  return (
    isAddress(String(account.address)) &&
    typeof account.signTransaction === "function" &&
    typeof account.signTypedData === "function"
  );
}

/** Returns an error's code or class name. Its message could contain a secret. */
function getErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return "no error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
