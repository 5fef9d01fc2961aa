import { describe, expect, it } from "vitest";
import { SPENDING_WINDOW, type Spending, spendingCapWait } from "./spendingCap.ts";

const now = 1_800_000_000_000;
/** Creates the spending of transactions that count for a number of minutes from now on. */
const spending = (mined: [cost: bigint, minutes: number][], open = 0n): Spending => ({
  open,
  mined: mined.map(([cost, minutes]) => ({ cost, until: now + minutes * 60_000 })),
});
const wait = (spent: Spending | undefined, cost: bigint) =>
  spendingCapWait(spent, { cost, cap: 1_000n, now });

describe("spendingCapWait", () => {
  it("allows spending up to the last wei of the cap", () => {
    const spent = spending([[400n, 10]], 200n);
    expect(wait(spent, 400n)).toBe(0);
    expect(wait(spent, 401n)).toBeGreaterThan(0);
  });

  it("returns the time until the cap allows the cost", () => {
    const spent = spending([
      [100n, 10],
      [500n, 40],
      [400n, 55],
    ]);
    expect(wait(spent, 100n)).toBe(10 * 60);
    expect(wait(spent, 101n)).toBe(40 * 60);
    expect(wait(undefined, 1_001n)).toBe(SPENDING_WINDOW / 1_000);
  });

  it("returns an hour for the cost of open transactions, and for a minute that was rounded up", () => {
    expect(wait(spending([], 1_000n), 1n)).toBe(3_600);
    expect(wait(spending([[1_000n, 61]]), 1n)).toBe(3_600);
  });
});
