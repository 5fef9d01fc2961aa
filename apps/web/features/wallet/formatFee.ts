import { formatEther } from "viem";

/** An amount of wei in ETH with four significant digits, which is all that a fee's estimate is worth. */
export function formatFee(wei: bigint): string {
  const ether = Number(formatEther(wei));
  return `${ether.toLocaleString("en", { maximumSignificantDigits: 4, maximumFractionDigits: 18 })} ETH`;
}
