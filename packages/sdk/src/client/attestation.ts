import type { Address, ContractFunctionReturnType } from "viem";
import type { resolverAbi } from "../abi/index.ts";
import { toUnixTime } from "./times.ts";

/**
 * Statements of one issuer about a controller or a dataHash, at the block of the read. An attestation and its renewals
 * form one run. Times are Unix seconds.
 */
export type Attestation = {
  issuer: Address;
  /**
   * Start of the run; 0 without a run, because the issuer only revoked or has been distrusted since before the run
   * began.
   */
  startedAt: number;
  /** Time of the issuer's newest statement, which may be a revocation. */
  statedAt: number;
  /** Time at which the run matures; 0 without a run. Runs of data hashes mature when they begin. */
  maturesAt: number;
  /** Time at which the run expires; 0 without a run. */
  expiresAt: number;
  /** Time at which the issuer, a lost challenge or the resolver's owner ended the run; `undefined` if none did. */
  endedAt: number | undefined;
  /** Time of the issuer's last revocation; `undefined` if its newest statement is an attestation. */
  revokedAt: number | undefined;
  /** True if there is a run that is neither expired nor ended. */
  live: boolean;
  /** True if the run is live and `maturesAt` has passed. */
  matured: boolean;
  /**
   * True if a matured run expired less than 7 days ago, so that it can be renewed without loss. Always false for data
   * hashes.
   */
  overdue: boolean;
  /** True if a block on the account applies to the run, so that the run does not give control. */
  blocked: boolean;
};

/**
 * Returns the time from which an issuer renews an attestation: when a quarter of the longest lifetime is left. Both
 * arguments use the same unit of time.
 */
export const getRenewalTime = (expiresAt: number, lifetime: number): number => expiresAt - lifetime / 4;

type RawAttestation = ContractFunctionReturnType<typeof resolverAbi, "view", "getDIDAttestations">[number];

export const toAttestation = (raw: RawAttestation): Attestation => ({
  ...raw,
  startedAt: Number(raw.startedAt),
  statedAt: Number(raw.statedAt),
  maturesAt: Number(raw.maturesAt),
  expiresAt: Number(raw.expiresAt),
  endedAt: toUnixTime(raw.endedAt),
  revokedAt: toUnixTime(raw.revokedAt),
});
