import { type CanonicalDid, normalizeDid } from "./did.ts";
import { AppRegistryError, withoutKey } from "./errors/appRegistryError.ts";

/** Version of a service; each part 0 to 255. */
export interface Version {
  major: number;
  minor: number;
  patch: number;
}

/** Version or its beginning: `major` alone, or `major.minor` without a patch. */
export type VersionSelector = { major: number; minor?: number | undefined; patch?: number | undefined };

/** Highest value of each part of a version. */
export const MAX_VERSION_PART = 255;

/** Thrown when the text is not a version. `reason` explains how to fix it. */
export class InvalidVersionError extends AppRegistryError {
  override readonly name = "InvalidVersionError";
  readonly input: string;
  readonly reason: string;

  constructor(input: unknown, reason: string) {
    super(`Invalid version: ${reason}`, { docsPath: "/identifiers#versions" });
    this.input = typeof input === "string" ? withoutKey(input) : "";
    this.reason = reason;
  }
}

/**
 * Reads one part of a version: decimal digits without leading zeros, 0 to 255. Returns `undefined` for any other text.
 *
 * @example
 * parseVersionPart("256"); // undefined
 */
export function parseVersionPart(text: string): number | undefined {
  if (!/^(?:0|[1-9][0-9]{0,2})$/.test(text)) return undefined;
  const part = Number(text);
  return part <= MAX_VERSION_PART ? part : undefined;
}

/**
 * Reads a version of the form `major.minor.patch`.
 *
 * @throws {InvalidVersionError} when it is not three numbers from 0 to 255 without leading zeros.
 * @example
 * parseVersion("1.2.3"); // { major: 1, minor: 2, patch: 3 }
 */
export function parseVersion(text: string): Version {
  const [major, minor, patch] = readParts(text) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) {
    throw new InvalidVersionError(
      text,
      "Use three numbers from 0 to 255 without leading zeros, for example 1.0.0.",
    );
  }
  return { major, minor, patch };
}

/**
 * Returns true if the text is a version of the form `major.minor.patch`.
 *
 * @example
 * isVersion("1.0.007"); // false
 */
export const isVersion = (text: string): boolean => readParts(text)?.length === 3;

/**
 * Reads `major`, `major.minor` or `major.minor.patch`.
 *
 * @throws {InvalidVersionError} when it is not one to three numbers from 0 to 255 without leading zeros.
 * @example
 * parseVersionSelector("1.2"); // { major: 1, minor: 2 }
 */
export function parseVersionSelector(text: string): VersionSelector {
  const [major, minor, patch] = readParts(text) ?? [];
  if (major === undefined) {
    throw new InvalidVersionError(
      text,
      "Use one to three numbers from 0 to 255 without leading zeros, for example 1.0.2.",
    );
  }
  return { major, ...(minor === undefined ? {} : { minor }), ...(patch === undefined ? {} : { patch }) };
}

function readParts(text: string): number[] | undefined {
  if (typeof text !== "string") return undefined;
  const parts = text.split(".").map(parseVersionPart);
  return parts.length <= 3 && parts.every((part) => part !== undefined) ? parts : undefined;
}

/** Version as a caller writes it: `1.2.3`, or its parts. */
export type VersionInput = Version | string;

/**
 * Converts a version as a caller writes it to its parts.
 *
 * @throws {InvalidVersionError}
 * @example
 * toVersion("1.2.3"); // { major: 1, minor: 2, patch: 3 }
 */
export function toVersion(given: VersionInput): Version {
  const { major, minor, patch } = typeof given === "object" && given !== null ? given : parseVersion(given);
  return parseVersion(`${major}.${minor}.${patch}`);
}

/**
 * Converts a version or its beginning as a caller writes it to its parts.
 *
 * @throws {InvalidVersionError}
 * @example
 * toVersionSelector({ major: 1, minor: 2 }); // { major: 1, minor: 2 }
 */
export function toVersionSelector(given: VersionSelector | string): VersionSelector {
  if (typeof given !== "object" || given === null) return parseVersionSelector(given);
  const { major, minor, patch } = given;
  const length = patch !== undefined ? 3 : minor !== undefined ? 2 : 1;
  return parseVersionSelector([major, minor, patch].slice(0, length).join("."));
}

/**
 * Formats a version as `major.minor.patch`.
 *
 * @example
 * formatVersion({ major: 1, minor: 2, patch: 3 }); // "1.2.3"
 */
export function formatVersion(version: VersionInput): string {
  const { major, minor, patch } = toVersion(version);
  return `${major}.${minor}.${patch}`;
}

/**
 * Compares two versions (Semantic Versioning 2.0.0, section 11). Returns -1 if the first is lower, 0 if they are equal,
 * and 1 if it is higher.
 *
 * @example
 * compareVersions(parseVersion("1.9.0"), parseVersion("1.10.0")); // -1
 */
export function compareVersions(one: VersionInput, other: VersionInput): -1 | 0 | 1 {
  const [a, b] = [toVersion(one), toVersion(other)];
  const difference = a.major - b.major || a.minor - b.minor || a.patch - b.patch;
  return Math.sign(difference) as -1 | 0 | 1;
}

/** DID with a version. Without `patch`, it means the latest patch of `major.minor`. */
export interface VersionedDid {
  did: CanonicalDid;
  major: number;
  minor: number;
  patch?: number | undefined;
}

const SEPARATOR = "/v/";

/**
 * Reads a versioned DID, `<did>/v/<major.minor>` or `<did>/v/<major.minor.patch>`, and splits it at the first `/v/`.
 *
 * @throws {InvalidDidError | InvalidVersionError}
 * @example
 * parseVersionedDid("did:web:example.com/v/1.2");
 * // { did: "did:web:example.com", major: 1, minor: 2 }
 */
export function parseVersionedDid(text: string): VersionedDid {
  const at = text.indexOf(SEPARATOR);
  if (at < 0) {
    throw new InvalidVersionError(
      text,
      "The version is missing. Use <did>/v/<major.minor.patch> or <did>/v/<major.minor>.",
    );
  }
  const did = normalizeDid(text.slice(0, at));
  const { minor, ...version } = parseVersionSelector(text.slice(at + SEPARATOR.length));
  if (minor === undefined) {
    throw new InvalidVersionError(
      text,
      "After /v/, use two or three numbers from 0 to 255 without leading zeros, for example 1.0 or 1.0.0.",
    );
  }
  return { did, minor, ...version };
}
