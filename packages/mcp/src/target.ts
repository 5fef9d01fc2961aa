import type { CanonicalDid, VersionSelector } from "@app-registry/sdk";
import { withTimeLimit } from "@app-registry/sdk/internal";

/** Service and requested version. */
export type Service = { did: CanonicalDid; version: VersionSelector | undefined };

/** Runs reads of the chain with the time limit of `--timeout`. @throws {TimeLimitError} if they take longer. */
export const withTimeout = <Result>(
  { timeoutMs }: { timeoutMs: number },
  run: () => Promise<Result>,
): Promise<Result> => withTimeLimit("The chain's RPC endpoint", timeoutMs, run);
