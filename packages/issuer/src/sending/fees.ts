import type { PublicClient } from "viem";
import { estimateMaxPriorityFeePerGas, getBlock, getGasPrice } from "viem/actions";
import type { Fees } from "./issuerTransaction.ts";

/** What gas costs in the next blocks; `price` is the lowest that the next block accepts, in wei. */
export type MarketFees = Fees & { price: bigint };

/** Reads what gas costs: twice the base fee and the usual tip, so that it holds while the base fee doubles. */
export async function readMarketFees(client: PublicClient): Promise<MarketFees> {
  const { baseFeePerGas } = await getBlock(client, { blockTag: "latest" });
  if (baseFeePerGas === null) {
    const price = await getGasPrice(client);
    return { type: "legacy", price, maxFeePerGas: price, maxPriorityFeePerGas: price };
  }
  const tip = await estimateMaxPriorityFeePerGas(client, { chain: null });
  return {
    type: "eip1559",
    price: baseFeePerGas + tip,
    maxFeePerGas: 2n * baseFeePerGas + tip,
    maxPriorityFeePerGas: tip,
  };
}

const minBigInt = (a: bigint, b: bigint) => (a < b ? a : b);
const maxBigInt = (a: bigint, b: bigint) => (a > b ? a : b);

/** Fees with a cap on the price per gas. */
export function capFees({ type, maxFeePerGas, maxPriorityFeePerGas }: Fees, cap: bigint): Fees {
  const capped = minBigInt(maxFeePerGas, cap);
  return { type, maxFeePerGas: capped, maxPriorityFeePerGas: minBigInt(maxPriorityFeePerGas, capped) };
}

/** Nodes accept a replacement if both prices are at least 10 % higher; an eighth leaves room for their rounding. */
const bumpFee = (fee: bigint) => fee + fee / 8n + 1n;

/** Fees that replace a transaction, at least the market's; undefined if the cap doesn't allow them. */
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
