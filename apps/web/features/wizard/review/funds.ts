/** Whether a wallet can pay, and what it lacks. Amounts in wei. */
export type FundsState =
  | { kind: "unknown" }
  | { kind: "enough"; balance: bigint }
  /** `missing` is undefined while the cost is not known, of a wallet that holds nothing. */
  | { kind: "short"; balance: bigint; missing: bigint | undefined };

/** Compares what a wallet holds with the most that publishing may take. */
export function compareFunds(balance: bigint | undefined, most: bigint | undefined): FundsState {
  if (balance === undefined) return { kind: "unknown" };
  if (most !== undefined && balance < most) return { kind: "short", balance, missing: most - balance };
  return balance === 0n ? { kind: "short", balance, missing: undefined } : { kind: "enough", balance };
}

/** The operator's faucet for a wallet: `{address}` in its URL becomes the wallet's. */
export const faucetHref = (faucetUrl: string, address: string): string =>
  faucetUrl.replaceAll("{address}", address);
