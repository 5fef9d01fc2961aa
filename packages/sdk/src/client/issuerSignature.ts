import type { Address, Hex } from "viem";

/** Issuer's EIP-712 signature of a statement, with the fields that it covers. Times are Unix seconds. */
export type IssuerSignature = {
  issuer: Address;
  /** Signing time. An issuer's newest statement about the same subject replaces older ones. */
  statedAt: number;
  /** Last second at which the signature can be used, at most one day after `statedAt`. */
  deadline: number;
  signature: Hex;
};

export const toIssuerSignature = (signature: IssuerSignature) => ({
  ...signature,
  statedAt: BigInt(signature.statedAt),
  deadline: BigInt(signature.deadline),
});
