import type { Address, Hash, Hex, PublicClient } from "viem";
import { estimateMaxPriorityFeePerGas, getBlock, getGasPrice } from "viem/actions";

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

/**
 * Fees for the next blocks. `price` is the lowest price per gas that the next block accepts, in wei, and `blockGas` the
 * gas limit of a block.
 */
export type MarketFees = Fees & { price: bigint; blockGas: bigint };

/** Reads the current fees: twice the base fee plus the usual tip, so that they suffice until the base fee doubles. */
export async function readMarketFees(client: PublicClient): Promise<MarketFees> {
  const { baseFeePerGas, gasLimit: blockGas } = await getBlock(client, { blockTag: "latest" });
  if (baseFeePerGas === null) {
    const price = await getGasPrice(client);
    return { type: "legacy", price, blockGas, maxFeePerGas: price, maxPriorityFeePerGas: price };
  }
  const tip = await estimateMaxPriorityFeePerGas(client, { chain: null });
  return {
    type: "eip1559",
    price: baseFeePerGas + tip,
    blockGas,
    maxFeePerGas: 2n * baseFeePerGas + tip,
    maxPriorityFeePerGas: tip,
  };
}

const minBigInt = (a: bigint, b: bigint) => (a < b ? a : b);
const maxBigInt = (a: bigint, b: bigint) => (a > b ? a : b);

export function capFees({ type, maxFeePerGas, maxPriorityFeePerGas }: Fees, cap: bigint): Fees {
  const capped = minBigInt(maxFeePerGas, cap);
  return { type, maxFeePerGas: capped, maxPriorityFeePerGas: minBigInt(maxPriorityFeePerGas, capped) };
}

/** Raises a fee by an eighth. Nodes require at least 10 % for a replacement; the rest allows for their rounding. */
const bumpFee = (fee: bigint) => fee + fee / 8n + 1n;

/** Returns fees for a replacement, at least those of the market, or `undefined` if they exceed the cap. */
export function replacementFees(previous: Fees, market: Fees, cap: bigint): Fees | undefined {
  const least = bumpFee(previous.maxFeePerGas);
  if (least > cap) return undefined;
  return capFees(
    {
      type: market.type,
      maxFeePerGas: maxBigInt(least, market.maxFeePerGas),
      maxPriorityFeePerGas: maxBigInt(bumpFee(previous.maxPriorityFeePerGas), market.maxPriorityFeePerGas),
    },
    cap,
  );
}
