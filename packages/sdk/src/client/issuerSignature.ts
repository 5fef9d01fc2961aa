import type { Address, Hex } from "viem";

/** What an issuer signed in addition to the statement (EIP-712). Times are Unix seconds. */
export type IssuerSignature = {
  issuer: Address;
  /** When it was signed. The issuer's newest statement about a pair wins. */
  statedAt: number;
  /** Last second at which the signature may be used, at most a day after `statedAt`. */
  deadline: number;
  signature: Hex;
};

export const toIssuerSignature = (signature: IssuerSignature) => ({
  ...signature,
  statedAt: BigInt(signature.statedAt),
  deadline: BigInt(signature.deadline),
});
