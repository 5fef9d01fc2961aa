import {
  InvalidDidError,
  InvalidVersionError,
  parseDidPath,
  parseVersionedDidPath,
  type VersionedDid,
} from "@app-registry/sdk";

/**
 * Request header that passes the undecoded path from the proxy to a service's page. The proxy overwrites it in client
 * requests.
 */
export const rawPathHeader = "x-app-registry-path";

/** Content of a service page's path. */
export type ServicePath =
  | { kind: "latest"; did: string }
  | { kind: "version"; did: string; version: VersionedDid }
  | { kind: "invalid"; reason: string };

/** Parses `/apps/<did>` or `/apps/<did>/v/<version>` from the undecoded path. */
export function parseServicePath(rawPath: string): ServicePath {
  const rest = rawPath.replace(/^\/apps\//, "").replace(/\/$/, "");
  try {
    if (!rest.includes("/v/")) return { kind: "latest", did: parseDidPath(rest) };
    const version = parseVersionedDidPath(rest);
    return { kind: "version", did: version.did, version };
  } catch (error) {
    if (error instanceof InvalidDidError || error instanceof InvalidVersionError) {
      return { kind: "invalid", reason: error.reason };
    }
    throw error;
  }
}
