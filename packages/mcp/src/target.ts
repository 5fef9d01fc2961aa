import { createGuardedFetch, type GuardedFetch } from "@app-registry/outbound";
import { type CanonicalDid, parseDid, parseVersionSelector, type VersionSelector } from "@app-registry/sdk";

/** A service, and the version that is requested. */
export type Service = { did: CanonicalDid; version: VersionSelector | undefined };

/**
 * Reads `<did>`, `<did>@<version>` or `<did>/v/<version>`; the version may stop after the major or the minor.
 *
 * @throws {InvalidDidError | InvalidVersionError}
 */
export function parseTarget(text: string): Service {
  const [, name = "", separator, wanted] = /^(.*?)(?:(@|\/v\/)(.*))?$/s.exec(text) ?? [];
  const { did } = parseDid(name);
  if (separator === undefined || wanted === undefined) return { did, version: undefined };
  return { did, version: parseVersionSelector(wanted) };
}

/** Creates a fetcher for third-party hosts: public https addresses, and loopback, which belongs to the user. */
export const guardedFetch = (timeoutMs: number): GuardedFetch =>
  createGuardedFetch({ allowLoopback: true, timeout: timeoutMs });
