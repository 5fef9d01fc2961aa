import type { Address, ContractFunctionReturnType } from "viem";
import type { resolverAbi } from "../abi/index.ts";
import { toTime } from "./times.ts";

/**
 * What one issuer stated of a controller or of a dataHash, at the block of the read. Its attestation begins a run, which
 * renewals keep. Times are Unix seconds.
 */
export type Attestation = {
  issuer: Address;
  /** When the run began; 0 without one: the issuer only ever revoked, or is distrusted since before the run began. */
  startedAt: number;
  /** Date of the issuer's newest statement, a revocation included. */
  statedAt: number;
  /** When the run settles; undefined when it never does. */
  settlesAt: number | undefined;
  /** When the run expires; 0 without one. */
  expiresAt: number;
  /** When the run was revoked, ousted or ended by the resolver's owner; undefined when it was not. */
  endedAt: number | undefined;
  /** A controller who counted vouched for the run. */
  vouched: boolean;
  /** There is a run that is neither expired nor ended. */
  live: boolean;
  /** Live, and `settlesAt` has passed. */
  settled: boolean;
  /** Live, or expired less than 7 days ago after it had settled: a renewal loses nothing. */
  held: boolean;
};

/** When an issuer first renews an attestation that ends then: with a quarter of the longest lifetime left. In any unit of time. */
export const renewableFrom = (expiresAt: number, lifetime: number): number => expiresAt - lifetime / 4;

type RawAttestation = ContractFunctionReturnType<typeof resolverAbi, "view", "getDIDAttestations">[number];

export const toAttestation = (raw: RawAttestation): Attestation => ({
  ...raw,
  startedAt: Number(raw.startedAt),
  statedAt: Number(raw.statedAt),
  settlesAt: toTime(raw.settlesAt),
  expiresAt: Number(raw.expiresAt),
  endedAt: toTime(raw.endedAt),
});
