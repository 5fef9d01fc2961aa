import { readFile } from "node:fs/promises";
import { text as readStream } from "node:stream/consumers";
import type { CanonicalDid, VersionSelector } from "@app-registry/sdk";
import {
  checkFieldNames,
  fetchDocument,
  HashAlgorithm,
  Interfaces,
  isInterfaceBitmap,
  JsonDocumentError,
  parseDid,
  parseJsonStrict,
  parseVersionPart,
  parseVersionSelector,
} from "@app-registry/sdk";
import { withTimeLimit } from "@app-registry/sdk/internal";
import { UsageError } from "./exitCodes.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Reads `<did>`, `<did>@<version>` or `<did>/v/<version>`; the version may stop after the major or the minor.
 *
 * @throws {InvalidDidError | InvalidVersionError}
 */
export function parseTarget(text: string): { did: CanonicalDid; version: VersionSelector | undefined } {
  const [, name = "", separator, wanted] = /^(.*?)(?:(@|\/v\/)(.*))?$/s.exec(text) ?? [];
  const { did } = parseDid(name);
  if (separator === undefined || wanted === undefined) return { did, version: undefined };
  return { did, version: parseVersionSelector(wanted) };
}

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
    `"${text}" are no interfaces.`,
    "Write human, api, contract, several with commas, or 1 to 7.",
  );
}

/** Reads `keccak256` or `sha256`. */
export function parseAlgorithm(text: string): HashAlgorithm {
  if (text === "keccak256" || text === "sha256") return HashAlgorithm[text];
  throw new UsageError(`"${text}" is no hash algorithm.`, "Write keccak256 or sha256.");
}

/** Reads a major version, 0 to 255. */
export function parseMajor(text: string): number {
  const major = parseVersionPart(text);
  if (major !== undefined) return major;
  throw new UsageError(`"${text}" is no major version.`, "Write a number from 0 to 255.");
}

/** Reads when an attestation ends: a date (ISO 8601) or Unix seconds. */
export function parseExpiry(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Math.floor(Date.parse(text) / 1_000);
  if (Number.isSafeInteger(value)) return value;
  throw new UsageError(`"${text}" is no time.`, "Write a date such as 2027-01-31, or Unix seconds.");
}

/** Reads the text of a metadata document as {@link readText}, and warns of its fields that are probably misspelt. */
export async function readMetadata(place: string, timeoutMs: number, { warn }: Terminal): Promise<string> {
  const text = await readText(place, timeoutMs);
  try {
    warn(checkFieldNames(parseJsonStrict(text)));
  } catch (error) {
    // Who checks the document says where it is no JSON.
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
