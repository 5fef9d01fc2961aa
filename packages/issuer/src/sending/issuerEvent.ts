import type { Address, Hash } from "viem";

/** Events of an issuer for the operator's structured log. Amounts are wei, in decimal. */
export type IssuerEvent =
  | {
      event: "issuer balance low";
      issuer: Address;
      balance: string;
      /** Attestations that the balance pays for at the current price. */
      attestationsLeft: number;
    }
  | { event: "transaction sent again"; nonce: number; hash: Hash }
  | { event: "transaction repriced"; nonce: number; hash: Hash; replaces: Hash; maxFeePerGas: string }
  /** It can't be replaced now: higher fees are over the fee cap or the spending cap. It may still be mined. */
  | { event: "transaction stuck at a cap"; nonce: number; hash: Hash; maxFeePerGas: string }
  /** A transaction that this issuer's processes didn't send has used its nonce. */
  | { event: "transaction lost"; nonce: number; hash: Hash };
