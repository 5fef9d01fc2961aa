import type { Address, Hash } from "viem";

/** What an operator wants to know of an issuer, for a structured log. Amounts are wei, in decimal. */
export type IssuerEvent =
  | {
      event: "issuer balance low";
      issuer: Address;
      balance: string;
      /** Attestations that the balance pays for at the present price. */
      attestationsLeft: number;
    }
  | { event: "transaction sent again"; nonce: number; hash: Hash }
  | { event: "transaction repriced"; nonce: number; hash: Hash; replaces: Hash; maxFeePerGas: string }
  /** It can't be replaced now: higher fees are over the fee cap or the spending cap. It may still be mined. */
  | { event: "transaction stuck at a cap"; nonce: number; hash: Hash; maxFeePerGas: string }
  /** Its nonce was used by a transaction that this issuer's processes did not send. */
  | { event: "transaction lost"; nonce: number; hash: Hash };
