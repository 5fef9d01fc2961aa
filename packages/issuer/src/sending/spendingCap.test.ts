import { describe, expect, it } from "vitest";
import type { IssuerTransaction } from "./issuerTransaction.ts";
import { SPENDING_WINDOW, spendingCapWait } from "./spendingCap.ts";

const now = 1_800_000_000_000;
let nonce = 0;
/** Creates a transaction of 100 gas at a price, signed a number of minutes ago. */
const transaction = (maxFeePerGas: bigint, minutesAgo: number, { open = false } = {}): IssuerTransaction => ({
  key: `key ${nonce}`,
  nonce: nonce++,
  to: "0x0000000000000000000000000000000000000001",
  data: "0x",
  gas: 100n,
  attempts: [
    {
      type: "eip1559",
      maxFeePerGas,
      maxPriorityFeePerGas: 0n,
      hash: "0x01",
      serialized: "0x02f8",
      signedAt: now - minutesAgo * 60_000,
    },
  ],
  mined: open ? undefined : { hash: "0x01", blockNumber: 1n, reverted: false },
});
const wait = (transactions: IssuerTransaction[], cost: bigint) =>
  spendingCapWait(transactions, { cost, cap: 1_000n, now });

describe("spendingCapWait", () => {
  it("allows spending up to the last wei of the cap", () => {
    const spent = [transaction(4n, 10), transaction(2n, 50)];
    expect(wait(spent, 400n)).toBe(0);
    expect(wait(spent, 401n)).toBeGreaterThan(0);
  });

  it("ignores transactions signed an hour ago, except open ones", () => {
    expect(wait([transaction(10n, 60)], 1_000n)).toBe(0);
    expect(wait([transaction(10n, 59)], 1n)).toBe(60);
    expect(wait([transaction(10n, 600, { open: true })], 1n)).toBe(3_600);
  });

  it("returns the time until the cap allows the cost", () => {
    const spent = [transaction(1n, 50), transaction(5n, 20), transaction(4n, 5)];
    expect(wait(spent, 100n)).toBe(10 * 60);
    expect(wait(spent, 101n)).toBe(40 * 60);
    expect(wait([], 1_001n)).toBe(SPENDING_WINDOW / 1_000);
  });
});
