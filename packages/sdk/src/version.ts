import { AppRegistryError } from "./errors/appRegistryError.ts";

/** A version of a service; each part 0 to 255. */
export interface Version {
  major: number;
  minor: number;
  patch: number;
}

/** A version, or its beginning: `major` alone, or `major.minor` without a patch. */
export type VersionSelector = { major: number; minor?: number | undefined; patch?: number | undefined };

/** Highest value of each part of a version. */
export const MAX_VERSION_PART = 255;

/** The text is not a version; `reason` says in plain words what to write. */
export class InvalidVersionError extends AppRegistryError {
  override readonly name = "InvalidVersionError";
  readonly input: string;
  readonly reason: string;

  constructor(input: string, reason: string) {
    super(`Invalid version: ${reason}`, { docsPath: "/identifiers#versions" });
    this.input = input;
    this.reason = reason;
  }
}

/**
 * Reads one part of a version: decimal digits without leading zeros, 0 to 255; undefined for anything else.
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
 * Whether the text is a version of the form `major.minor.patch`.
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
  const parts = text.split(".").map(parseVersionPart);
  return parts.length <= 3 && parts.every((part) => part !== undefined) ? parts : undefined;
}

/**
 * The version as `major.minor.patch`.
 *
 * @example
 * formatVersion({ major: 1, minor: 2, patch: 3 }); // "1.2.3"
 */
export function formatVersion(version: Version): string {
  return `${version.major}.${version.minor}.${version.patch}`;
}

/**
 * Order of two versions (Semantic Versioning 2.0.0, section 11): -1 when `a` comes first, 0 when equal, 1 after.
 *
 * @example
 * compareVersions(parseVersion("1.9.0"), parseVersion("1.10.0")); // -1
 */
export function compareVersions(a: Version, b: Version): -1 | 0 | 1 {
  const difference = a.major - b.major || a.minor - b.minor || a.patch - b.patch;
  return Math.sign(difference) as -1 | 0 | 1;
}
