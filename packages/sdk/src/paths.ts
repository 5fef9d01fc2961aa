import { type CanonicalDid, InvalidDidError, normalizeDid } from "./did.ts";
import { formatVersion, parseVersionedDid, type VersionedDid, type VersionInput } from "./version.ts";

/**
 * Returns the path of a service's page: `/apps/<did>`, or `/apps/<did>/v/<version>`.
 *
 * Encodes the DID once more (`%3A` as `%253A`), so that a server or proxy that decodes the path once does not change
 * the DID.
 *
 * @throws {InvalidDidError}
 * @example
 * appPath("did:web:localhost%3A3000"); // "/apps/did:web:localhost%253A3000"
 */
export function appPath(did: string, version?: VersionInput): string {
  return `/apps/${encodeDid(did)}${version === undefined ? "" : `/v/${formatVersion(version)}`}`;
}

/**
 * Returns the path of the metadata document of one version: `/api/data-url/<did>/v/<version>`, with the DID encoded
 * once more.
 *
 * @throws {InvalidDidError}
 * @example
 * dataUrlPath("did:web:localhost%3A3000", parseVersion("1.0.0"));
 * // "/api/data-url/did:web:localhost%253A3000/v/1.0.0"
 */
export function dataUrlPath(did: string, version: VersionInput): string {
  return `/api/data-url/${encodeDid(did)}/v/${formatVersion(version)}`;
}

/**
 * Returns the path of a registry's live checks of a record: `/api/live/<did>/v/<version>`, with the DID encoded once
 * more.
 *
 * @throws {InvalidDidError}
 * @example
 * livePath("did:web:example.com", parseVersion("1.0.0")); // "/api/live/did:web:example.com/v/1.0.0"
 */
export function livePath(did: string, version: VersionInput): string {
  return `/api/live/${encodeDid(did)}/v/${formatVersion(version)}`;
}

/**
 * Reads the DID from the raw, undecoded rest of a URL path. The path contains the DID literally (`…%3A3000`) or encoded
 * once more (`…%253A3000`, or fully as by `encodeURIComponent`).
 *
 * A path counts as encoded if it starts with `did%3A` or contains `%25`.
 *
 * @throws {InvalidDidError}
 * @example
 * parseDidPath("did:web:localhost%253A3000"); // "did:web:localhost%3A3000"
 */
export function parseDidPath(rawPath: string): CanonicalDid {
  return normalizeDid(decodePath(rawPath));
}

/**
 * Reads a versioned DID from the raw, undecoded rest of a URL path; see `parseDidPath`.
 *
 * @throws {InvalidDidError | InvalidVersionError}
 * @example
 * parseVersionedDidPath("did:web:example.com/v/1.2").did; // "did:web:example.com"
 */
export function parseVersionedDidPath(rawPath: string): VersionedDid {
  return parseVersionedDid(decodePath(rawPath));
}

function encodeDid(did: string): string {
  return normalizeDid(did).replaceAll("%", "%25");
}

function decodePath(rawPath: string): string {
  if (!/^did%3a/i.test(rawPath) && !rawPath.includes("%25")) return rawPath;
  try {
    return decodeURIComponent(rawPath);
  } catch {
    throw new InvalidDidError(rawPath, "not-a-did", "The path has invalid percent-encoding.");
  }
}
