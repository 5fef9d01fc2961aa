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

/** Runs reads of the chain with the time limit of `--timeout`. @throws {TimeLimitError} if they take longer. */
export const withTimeout = <Result>(
  { timeoutMs }: { timeoutMs: number },
  run: () => Promise<Result>,
): Promise<Result> => withTimeLimit("The chain's RPC endpoint", timeoutMs, run);
