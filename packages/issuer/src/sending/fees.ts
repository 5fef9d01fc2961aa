import type { PublicClient } from "viem";
import { estimateMaxPriorityFeePerGas, getBlock, getGasPrice } from "viem/actions";
import type { Fees } from "./issuerTransaction.ts";

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

/** Caps the price per gas. */
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
