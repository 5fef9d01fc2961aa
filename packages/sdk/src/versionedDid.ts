import { type CanonicalDid, normalizeDid } from "./did.ts";
import { formatVersion, InvalidVersionError, parseVersionSelector, type VersionInput } from "./version.ts";

/** DID with a version. Without `patch`, it means the latest patch of `major.minor`. */
export interface VersionedDid {
  did: CanonicalDid;
  major: number;
  minor: number;
  patch?: number | undefined;
}

const SEPARATOR = "/v/";

/**
 * Formats a versioned DID: `<did>/v/<major.minor.patch>`.
 *
 * @throws {InvalidDidError}
 * @example
 * formatVersionedDid({ did: "did:web:example.com", version: parseVersion("1.2.3") });
 * // "did:web:example.com/v/1.2.3"
 */
export function formatVersionedDid({ did, version }: { did: string; version: VersionInput }): string {
  return `${normalizeDid(did)}${SEPARATOR}${formatVersion(version)}`;
}

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
