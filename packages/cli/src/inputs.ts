import { readFile } from "node:fs/promises";
import { text as readStream } from "node:stream/consumers";
import { UsageError } from "@app-registry/mcp";
import type { AppStatus } from "@app-registry/sdk";
import {
  canonicalizeValue,
  checkFieldNames,
  checkPublishable,
  fetchDocument,
  HashAlgorithm,
  Interfaces,
  isInterfaceBitmap,
  JsonDocumentError,
  parseDid,
  parseJsonStrict,
  parseStatus,
  parseVersionPart,
} from "@app-registry/sdk";
import { storageProblems, withTimeLimit } from "@app-registry/sdk/internal";
import { type Address, type Hash, isAddress, isHash } from "viem";
import { columns, type Line, type Terminal } from "./terminal.ts";

const bits = { human: Interfaces.Human, api: Interfaces.Api, contract: Interfaces.Contract };

/** Reads a bitmap, 1 to 7, or names: `api`, `human,api`. */
export function parseInterfaces(text: string): number {
  const names = text
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const bitmap = /^\d$/.test(text)
    ? Number(text)
    : names.reduce((sum, name) => sum | (name in bits ? bits[name as keyof typeof bits] : 8), 0);
  if (isInterfaceBitmap(bitmap)) return bitmap;
  throw new UsageError(
    `"${text}" is not a valid list of interfaces.`,
    "Use human, api, contract (comma-separated), or 1 to 7.",
  );
}

/** Reads `keccak256` or `sha256`. */
export function parseAlgorithm(text: string): HashAlgorithm {
  if (text === "keccak256" || text === "sha256") return HashAlgorithm[text];
  throw new UsageError(`"${text}" is not a hash algorithm.`, "Use keccak256 or sha256.");
}

/** Reads a major version, 0 to 255. */
export function parseMajor(text: string): number {
  const major = parseVersionPart(text);
  if (major !== undefined) return major;
  throw new UsageError(`"${text}" is not a major version.`, "Use a number from 0 to 255.");
}

/** Reads a DID, and writes it as the registry has it. @throws {InvalidDidError} */
export const parseCanonicalDid = (text: string): string => parseDid(text).did;

/** The reader of an address that is typed at a place of the command line. */
export const parseAddress =
  (place: string) =>
  (text: string): Address => {
    if (isAddress(text, { strict: false })) return text;
    throw new UsageError(`${place} is not an address.`, "Use 0x followed by 40 hexadecimal digits.");
  };

/** Reads the hash of a document. */
export function parseHash(text: string): Hash {
  if (isHash(text)) return text;
  throw new UsageError("--data-hash is not a hash.", "Use 0x followed by 64 hexadecimal digits.");
}

/** Reads `active`, `deprecated` or `replaced`. */
export function parseStatusName(text: string): AppStatus {
  const status = parseStatus(text);
  if (status !== undefined) return status;
  throw new UsageError(`"${text}" is not a status.`, "Use active, deprecated or replaced.");
}

/** Reads a date (ISO 8601) or Unix seconds. */
export function parseTime(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Math.floor(Date.parse(text) / 1_000);
  if (Number.isSafeInteger(value)) return value;
  throw new UsageError(`"${text}" is not a time.`, "Use a date such as 2027-01-31, or Unix seconds.");
}

/** Reads the text of a metadata document like {@link classifyDocument}, and warns about fields that are probably misspelt. */
export async function readMetadata(place: string, timeoutMs: number, { warn }: Terminal): Promise<string> {
  const text = await readText(place, timeoutMs);
  try {
    warn(checkFieldNames(parseJsonStrict(text)));
  } catch (error) {
    // The check of the document says where it is not JSON.
    if (!(error instanceof JsonDocumentError)) throw error;
  }
  return text;
}

/**
 * The text of a file, of standard input (`-`), or of what a URL serves.
 *
 * @throws {UsageError} for a file that can't be read, {@link DocumentUnavailableError}, {@link TimeLimitError}.
 */
export async function readText(place: string, timeoutMs: number): Promise<string> {
  if (/^https?:\/\//i.test(place)) {
    return withTimeLimit(place, timeoutMs, (signal) => fetchDocument(place, { signal }));
  }
  if (place === "-") return readStream(process.stdin);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(place));
  } catch (error) {
    const reason = error instanceof TypeError ? "is not UTF-8 text" : "can't be read";
    throw new UsageError(`The file ${place} ${reason}.`, "Check the path.");
  }
}

type Problems = ReturnType<typeof checkPublishable>;

/** What keeps a parsed document from being published, in the registry or on the chain. */
export function documentProblems(
  metadata: unknown,
  interfaces: number,
  did: string,
  onChain: boolean,
): Problems {
  const problems = checkPublishable(metadata, interfaces, did);
  if (problems.length > 0 || !onChain) return problems;
  return storageProblems(new TextEncoder().encode(canonicalizeValue(metadata)).length);
}

/** Problems for people. */
export const problemLines = (problems: Problems): Line[] =>
  columns(problems.map(({ pointer, message }) => [pointer || "(document)", message]));
