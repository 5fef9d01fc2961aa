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
  const separator = /@|\/v\//.exec(text);
  if (!separator) return { did: parseDid(text).did, version: undefined };
  const { did } = parseDid(text.slice(0, separator.index));
  return { did, version: parseVersionSelector(text.slice(separator.index + separator[0].length)) };
}

/** Runs reads of the chain with the time limit of `--timeout`. @throws {TimeLimitError} if they take longer. */
export const withTimeout = <Result>(
  { timeoutMs }: { timeoutMs: number },
  run: () => Promise<Result>,
): Promise<Result> => withTimeLimit("The chain's RPC endpoint", timeoutMs, run);
