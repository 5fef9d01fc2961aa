import type { Address, Hash } from "viem";

/** Events of an issuer for the operator's structured log. Amounts are wei, in decimal. */
export type IssuerEvent =
  | {
      event: "issuer balance low";
      issuer: Address;
      balance: string;
      /** Number of attestations that the balance can pay for at the current price. */
      attestationsLeft: number;
    }
  | { event: "transaction sent again"; nonce: number; hash: Hash }
  | { event: "transaction repriced"; nonce: number; hash: Hash; replaces: Hash; maxFeePerGas: string }
  /** Higher fees would exceed the fee cap or the spending cap. The transaction may still be mined. */
  | { event: "transaction stuck at a cap"; nonce: number; hash: Hash; maxFeePerGas: string }
  /** A transaction that another process sent has used the nonce. */
  | { event: "transaction lost"; nonce: number; hash: Hash };
