import { readFileSync, statfsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { AppRegistryError } from "@app-registry/sdk";
import { type Hex, isAddress, isHex, type LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** Variables that say where the issuer's key is. At most one may be set. */
export const KEY_VARIABLES = [
  "ISSUER_PRIVATE_KEY",
  "ISSUER_PRIVATE_KEY_FILE",
  "ISSUER_ACCOUNT_MODULE",
] as const;

/** An account's module gives no account: it is wrong, or what it asks does not answer, which may pass. */
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

/** A file that is larger holds no key. */
const MAX_BYTES = 1_024;

/** Types of file systems in memory (tmpfs, ramfs), where container platforms and systemd put secrets. */
const MEMORY_FILE_SYSTEMS = new Set([0x01021994, 0x858458f6]);

/**
 * Reads where the issuer's key is: in `ISSUER_PRIVATE_KEY`, in the file `ISSUER_PRIVATE_KEY_FILE`, or behind the function
 * that the ES module `ISSUER_ACCOUNT_MODULE` exports by default and that returns any viem account that signs by itself. An
 * empty variable counts as absent.
 *
 * @param problems Takes a clause for each thing that is wrong. None repeats a value, which could be a key.
 * @param warnings Takes a sentence for what is not safe.
 * @returns What opens the account, once; undefined without a variable or with a wrong one. It rejects with
 * AccountError, and then tries again at the next call.
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

/** The error of making an account would repeat the key. */
function toLocalAccount(key: string): LocalAccount | undefined {
  if (!isHex(key) || key.length !== 66) return undefined;
  try {
    return privateKeyToAccount(key as Hex);
  } catch {
    return undefined;
  }
}

/** What a file holds, without the line break at its end. */
function readKeyFile(name: string, path: string, problems: string[], warnings: string[]): string | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) {
      problems.push(`${name} must name a file that holds ${KEY_FORMAT}`);
      return undefined;
    }
    // Secret mounts are often readable for all of their container, which is nobody else.
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
  // The operator names it when the server starts, so no bundler can know it.
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

/** Of what kind an error is. Its message could repeat a secret. */
function getErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return "no error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
