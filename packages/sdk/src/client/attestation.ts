import type { Address, ContractFunctionReturnType } from "viem";
import type { resolverAbi } from "../abi/index.ts";
import { toUnixTime } from "./times.ts";

/**
 * What one issuer stated about a controller or a dataHash, at the block of the read. Its attestation begins a run, which
 * renewals keep. Times are Unix seconds.
 */
export type Attestation = {
  issuer: Address;
  /** When the run began; 0 without one: the issuer only ever revoked, or is distrusted since before the run began. */
  startedAt: number;
  /** Date of the issuer's newest statement, a revocation included. */
  statedAt: number;
  /** When the run matures; 0 without one. Runs of data hashes mature when they begin. */
  maturesAt: number;
  /** When the run expires; 0 without one. */
  expiresAt: number;
  /** When the issuer, a lost challenge or the resolver's owner ended the run; `undefined` if none did. */
  endedAt: number | undefined;
  /** When the issuer recorded its last revocation; `undefined` if its newest statement is an attestation. */
  revokedAt: number | undefined;
  /** There is a run that is neither expired nor ended. */
  live: boolean;
  /** Live, and `maturesAt` has come. */
  matured: boolean;
  /** Expired less than 7 days ago after it had matured: a renewal loses nothing. Never for data hashes. */
  overdue: boolean;
  /** A block on the account applies to the run, so it doesn't give control. */
  blocked: boolean;
};

/** When an issuer first renews an attestation that ends then: with a quarter of the longest lifetime left. In any unit of time. */
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
