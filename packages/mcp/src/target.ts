import { createGuardedFetch, type GuardedFetch } from "@app-registry/outbound";
import { type CanonicalDid, parseDid, parseVersionSelector, type VersionSelector } from "@app-registry/sdk";
import { withTimeLimit } from "@app-registry/sdk/internal";

/** Service and requested version. */
export type Service = { did: CanonicalDid; version: VersionSelector | undefined };

/**
 * Parses `<did>`, `<did>@<version>` or `<did>/v/<version>`. The version may omit the minor and patch numbers.
 *
 * @throws {InvalidDidError} for an invalid DID.
 * @throws {InvalidVersionError} for an invalid version.
 */
export function parseTarget(text: string): Service {
  const [, name = "", separator, wanted] = /^(.*?)(?:(@|\/v\/)(.*))?$/s.exec(text) ?? [];
  const { did } = parseDid(name);
  if (separator === undefined || wanted === undefined) return { did, version: undefined };
  return { did, version: parseVersionSelector(wanted) };
}

/**
 * Creates a fetcher for untrusted URLs. Allows loopback hosts as well, because the user of this machine runs the
 * command.
 */
export const guardedFetch = (timeoutMs: number): GuardedFetch =>
  createGuardedFetch({ allowLoopback: true, timeout: timeoutMs });

/** Runs reads of the chain with the time limit of `--timeout`. @throws {TimeLimitError} if they take longer. */
export const withTimeout = <Result>(
  { timeoutMs }: { timeoutMs: number },
  run: () => Promise<Result>,
): Promise<Result> => withTimeLimit("The chain's RPC endpoint", timeoutMs, run);
