/** Result of comparing a wallet's balance with the cost. Amounts are in wei. */
export type FundsState =
  | { kind: "unknown" }
  | { kind: "enough"; balance: bigint }
  /** `missing` is undefined if the wallet is empty and the cost is unknown. */
  | { kind: "short"; balance: bigint; missing: bigint | undefined };

/** Compares a wallet's balance with the maximum cost of publishing. */
export function compareFunds(balance: bigint | undefined, most: bigint | undefined): FundsState {
  if (balance === undefined) return { kind: "unknown" };
  if (most !== undefined && balance < most) return { kind: "short", balance, missing: most - balance };
  return balance === 0n ? { kind: "short", balance, missing: undefined } : { kind: "enough", balance };
}

/** Returns the URL of the operator's faucet with `{address}` replaced by the wallet's address. */
export const faucetHref = (faucetUrl: string, address: string): string =>
  faucetUrl.replaceAll("{address}", address);
