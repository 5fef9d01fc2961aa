import type { Address, Hash, Hex } from "viem";

/** Prices per gas, in wei. On a chain without EIP-1559, both are the gas price. */
export type Fees = {
  type: "eip1559" | "legacy";
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
};

/** Signed version of a transaction. A replacement is the same transaction with higher fees. */
export type SignedAttempt = Fees & {
  hash: Hash;
  /** Signed bytes, to send again if the node dropped the transaction. */
  serialized: Hex;
  /** Time of the signature, in Unix milliseconds. */
  signedAt: number;
};

/** Mined transaction of a nonce. */
export type MinedTransaction = { hash: Hash; blockNumber: bigint; reverted: boolean };

/** Statement of a transaction. At most one transaction with a key is open. */
type SentStatement = {
  key: string;
  /** Hash of the first client that requested it. Undefined for the issuer's own statements and anonymous requests. */
  client?: string | undefined;
};

/** Transaction of one nonce of an issuer, with its signed and mined versions. */
export type IssuerTransaction = {
  nonce: number;
  /** At least one statement, by key. */
  statements: readonly SentStatement[];
  to: Address;
  data: Hex;
  gas: bigint;
  /** At least one signed version, oldest first. Any of them may be mined. */
  attempts: readonly SignedAttempt[];
  /** Mined version, or `undefined` while the transaction is open. */
  mined: MinedTransaction | undefined;
};

/** Returns the latest attempt, which has the highest fees. */
export function lastAttempt({ attempts }: Pick<IssuerTransaction, "attempts">): SignedAttempt {
  const last = attempts.at(-1);
  if (!last) throw new Error("A transaction was signed at least once");
  return last;
}

/** Returns the maximum cost of a transaction, in wei. */
export const highestCost = (transaction: IssuerTransaction): bigint =>
  transaction.gas * lastAttempt(transaction).maxFeePerGas;
