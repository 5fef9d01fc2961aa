import { readTextFile, UsageError } from "@app-registry/mcp";
import { createGuardedFetch } from "@app-registry/outbound";
import { isLoopbackHost } from "@app-registry/outbound/internal";
import type { AppStatus } from "@app-registry/sdk";
import {
  canonicalizeValue,
  checkFieldNames,
  checkPublishable,
  HashAlgorithm,
  Interfaces,
  isInterfaceBitmap,
  JsonDocumentError,
  MAX_DOCUMENT_SIZE,
  parseDid,
  parseJsonStrict,
  parseStatus,
  parseVersionPart,
} from "@app-registry/sdk";
import { requestDocument, storageProblems, withTimeLimit } from "@app-registry/sdk/internal";
import { type Address, type Hash, isAddress, isHash } from "viem";
import { columns, type Line, type Terminal } from "./terminal.ts";

/** Description of the argument that names a service. */
export const SERVICE_ARGUMENT = "its address or DID; a DID may end with @<version> (default: the latest)";

const bits = { human: Interfaces.Human, api: Interfaces.Api, contract: Interfaces.Contract };

/** Parses interfaces: a bitmap from 1 to 7, or names such as `api` or `human,api`. */
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

export function parseAlgorithm(text: string): HashAlgorithm {
  if (text === "keccak256" || text === "sha256") return HashAlgorithm[text];
  throw new UsageError(`"${text}" is not a hash algorithm.`, "Use keccak256 or sha256.");
}

/** Parses a major version, 0 to 255. */
export function parseMajor(text: string): number {
  const major = parseVersionPart(text);
  if (major !== undefined) return major;
  throw new UsageError(`"${text}" is not a major version.`, "Use a number from 0 to 255.");
}

/** Parses a DID and returns its canonical form. @throws {InvalidDidError} for an invalid DID. */
export const parseCanonicalDid = (text: string): string => parseDid(text).did;

/** Returns a parser of addresses whose errors name the argument or option. */
export const parseAddress =
  (place: string) =>
  (text: string): Address => {
    if (isAddress(text, { strict: false })) return text;
    throw new UsageError(`${place} is not an address.`, "Use 0x followed by 40 hexadecimal digits.");
  };

export function parseHash(text: string): Hash {
  if (isHash(text)) return text;
  throw new UsageError("--data-hash is not a hash.", "Use 0x followed by 64 hexadecimal digits.");
}

export function parseStatusName(text: string): AppStatus {
  const status = parseStatus(text);
  if (status !== undefined) return status;
  throw new UsageError(`"${text}" is not a status.`, "Use active, deprecated or replaced.");
}

/** Parses a date (ISO 8601) or Unix seconds. */
export function parseTime(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Math.floor(Date.parse(text) / 1_000);
  if (Number.isSafeInteger(value)) return value;
  throw new UsageError(`"${text}" is not a time.`, "Use a date such as 2027-01-31, or Unix seconds.");
}

/** Reads the text of a metadata document, and warns about fields that are probably misspelled. */
export async function readMetadata(place: string, timeoutMs: number, { warn }: Terminal): Promise<string> {
  const text = await readText(place, timeoutMs);
  try {
    warn(checkFieldNames(parseJsonStrict(text)));
  } catch (error) {
    // Ignore invalid JSON here: the later check of the document reports its position.
    if (!(error instanceof JsonDocumentError)) throw error;
  }
  return text;
}

/**
 * Reads the text of a file, of standard input (`-`) or of a URL, at most 1 MiB.
 *
 * @throws {UsageError} if the file can't be read.
 * @throws {DocumentUnavailableError} if the URL serves no document.
 * @throws {TimeLimitError} if the URL takes too long.
 */
export async function readText(
  place: string,
  timeoutMs: number,
  maxBytes = MAX_DOCUMENT_SIZE,
): Promise<string> {
  if (/^https?:\/\//i.test(place)) {
    return withTimeLimit(place, timeoutMs, (signal) =>
      requestDocument(place, { signal, fetch: createTypedFetch(timeoutMs) }),
    );
  }
  if (place === "-") return readTextFile("Standard input", process.stdin, maxBytes);
  return readTextFile(`The file ${place}`, place, maxBytes);
}

/**
 * Creates a fetcher for an address that the user typed, which may be in the user's network. Its redirects are guarded,
 * because they are the host's.
 */
const createTypedFetch =
  (timeout: number): typeof fetch =>
  async (input, init) => {
    const url = new URL(String(input));
    const response = await fetch(url, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || !location) return response;
    await response.body?.cancel();
    const guarded = createGuardedFetch({ allowLoopback: isLoopbackHost(url.hostname), timeout });
    return guarded.fetch(URL.canParse(location, url.href) ? new URL(location, url) : location, init);
  };

type Problems = ReturnType<typeof checkPublishable>;

/** Lists the problems that prevent publishing a parsed document, in the registry or on the chain. */
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

export const problemLines = (problems: Problems): Line[] =>
  columns(problems.map(({ pointer, message }) => [pointer || "(document)", message]));
