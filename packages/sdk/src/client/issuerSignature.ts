import type { Address, Hex } from "viem";

/** What an issuer signed beside the statement itself (EIP-712). Times are Unix seconds. */
export type IssuerSignature = {
  issuer: Address;
  /** Number of the issuer's authorisation under which it signed. */
  epoch: number;
  issuedAt: number;
  /** Last second at which the signature may be used, at most a day after `issuedAt`. */
  deadline: number;
  /** Each number is used or cancelled once per issuer. */
  nonce: bigint;
  signature: Hex;
};

export const toIssuerSignature = (signature: IssuerSignature) => ({
  ...signature,
  issuedAt: BigInt(signature.issuedAt),
  deadline: BigInt(signature.deadline),
});
