import type { Address } from "viem";

/** An issuer's attestation. Times are Unix seconds; it is live while `now < expiresAt`. */
export type Attestation = {
  issuer: Address;
  attestedAt: number;
  expiresAt: number;
  /** Not expired, revoked or ousted at the block of the read. */
  live: boolean;
};

export const toAttestation = (raw: {
  issuer: Address;
  attestedAt: bigint;
  expiresAt: bigint;
  live: boolean;
}): Attestation => ({ ...raw, attestedAt: Number(raw.attestedAt), expiresAt: Number(raw.expiresAt) });
