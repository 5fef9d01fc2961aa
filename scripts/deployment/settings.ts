import { type Address, getAddress, isAddress, zeroAddress } from "viem";
import { ScriptError } from "./runScript.ts";

/** A resolver has 16 seats, and gives the last one only while no issuer is active. */
const MAX_ISSUERS = 15;
/** Seconds; the bounds of `InvalidMaturation`. */
const MATURATION = { min: 3_600n, max: 2_592_000n };

/** What a deployment is asked for. An absent setting has the default that docs/deployment.md names. */
export interface DeploySettings {
  /** Accounts to authorise as issuers; empty when none is named. */
  issuers: readonly Address[];
  /** Wait of a newcomer in seconds. */
  maturation: bigint | undefined;
  /** Account that is offered the ownership of the resolver. */
  owner: Address | undefined;
  /** Path of the deployment file. */
  file: string | undefined;
}

/**
 * Reads ISSUER_ADDRESS, MATURATION, OWNER_ADDRESS and DEPLOYMENT_FILE. An empty variable counts as absent.
 * @param problems Takes a clause for each thing that is wrong with a setting.
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): DeploySettings {
  const read = <T>(name: string, parse: (text: string) => T): T | undefined => {
    const text = env[name];
    if (!text) return undefined;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      problems.push(`${name}: ${error.message}`);
      return undefined;
    }
  };
  return {
    issuers: read("ISSUER_ADDRESS", parseIssuers) ?? [],
    maturation: read("MATURATION", parseMaturation),
    owner: read("OWNER_ADDRESS", parseAccount),
    file: read("DEPLOYMENT_FILE", (path) => path),
  };
}

/** @throws {ScriptError} Naming every problem of a non-empty list. */
export function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new ScriptError(`Nothing was sent: ${problems.join("; ")}.`);
}

/**
 * Reads an account as a person wrote it.
 * @throws {ScriptError} When it is no address, has a wrong checksum (ERC-55) or is zero.
 */
export function parseAccount(text: string): Address {
  const entry = text.trim();
  if (!isAddress(entry, { strict: false })) {
    throw new ScriptError(`"${entry}" is not an address (0x and 40 hexadecimal digits)`);
  }
  const digits = entry.slice(2);
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (isMixed && !isAddress(entry, { strict: true })) {
    throw new ScriptError(`${entry} does not match the checksum in its capitals, so look for a typing error`);
  }
  const account = getAddress(entry);
  if (account === zeroAddress) throw new ScriptError("the zero address is no account");
  return account;
}

/** Reports every wrong entry, not only the first. */
function parseIssuers(text: string): Address[] {
  const issuers: Address[] = [];
  const problems: string[] = [];
  for (const entry of text.split(",")) {
    if (entry.trim() === "") {
      problems.push("there is an empty entry");
      continue;
    }
    try {
      const issuer = parseAccount(entry);
      if (issuers.includes(issuer)) problems.push(`${issuer} is named twice`);
      issuers.push(issuer);
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      problems.push(error.message);
    }
  }
  if (issuers.length > MAX_ISSUERS) {
    problems.push(`a resolver takes at most ${MAX_ISSUERS} issuers, not ${issuers.length}`);
  }
  if (problems.length > 0) throw new ScriptError([...new Set(problems)].join(", "));
  return issuers;
}

function parseMaturation(text: string): bigint {
  const { min, max } = MATURATION;
  const seconds = /^\d+$/.test(text.trim()) ? BigInt(text) : 0n;
  if (seconds < min || seconds > max) {
    throw new ScriptError(`"${text}" is not a whole number of seconds from ${min} to ${max}`);
  }
  return seconds;
}
