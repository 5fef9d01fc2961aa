import type { Address, Hash, Hex } from "viem";

/** Prices per gas, in wei. On a chain without EIP-1559 both are its gas price. */
export type Fees = {
  type: "eip1559" | "legacy";
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
};

/** One signing of a transaction; a replacement is the same transaction, signed again with higher fees. */
export type SignedAttempt = Fees & {
  hash: Hash;
  /** The signed bytes, which are sent again unchanged if a node forgot them. */
  serialized: Hex;
  /** Unix milliseconds. */
  signedAt: number;
};

/** The transaction that was mined with a nonce. */
export type MinedTransaction = { hash: Hash; blockNumber: bigint; reverted: boolean };

/** One nonce of an issuer: what was signed for it, and what was mined. */
export type IssuerTransaction = {
  nonce: number;
  /** What it attests. At most one open transaction has a key. */
  key: string;
  /** Stands for the client that asked first; undefined for the issuer's own work, and when nobody is named. */
  client?: string | undefined;
  to: Address;
  data: Hex;
  gas: bigint;
  /** Oldest first, at least one. Any of them may be the one that is mined. */
  attempts: readonly SignedAttempt[];
  /** Undefined while it is open. */
  mined: MinedTransaction | undefined;
};

/** The attempt with the highest fees. */
export function lastAttempt({ attempts }: Pick<IssuerTransaction, "attempts">): SignedAttempt {
  const last = attempts.at(-1);
  if (!last) throw new Error("A transaction was signed at least once");
  return last;
}

/** The most that a transaction can cost, in wei. */
export const highestCost = (transaction: IssuerTransaction): bigint =>
  transaction.gas * lastAttempt(transaction).maxFeePerGas;
