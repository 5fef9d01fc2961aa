import { describe, expect, it } from "vitest";
import { replacementFees } from "./issuerTransaction.ts";

const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) =>
  ({ type: "eip1559", maxFeePerGas, maxPriorityFeePerGas }) as const;

describe("replacementFees", () => {
  it("raises both prices by more than a tenth, even if they are tiny", () => {
    for (const price of [0n, 1n, 9n, 10n, 11n, 1_000_000_007n]) {
      const next = replacementFees(fees(price, price), fees(0n, 0n), 10n ** 12n);
      expect(next?.maxFeePerGas).toBeGreaterThan((price * 11n) / 10n);
      expect(next?.maxPriorityFeePerGas).toBeGreaterThan((price * 11n) / 10n);
    }
  });

  it("uses the market price if it is higher", () => {
    expect(replacementFees(fees(100n, 10n), fees(1_000n, 50n), 10_000n)).toEqual(fees(1_000n, 50n));
  });

  it("stops at the cap and returns undefined if a replacement would exceed it", () => {
    expect(replacementFees(fees(100n, 10n), fees(1_000n, 50n), 120n)).toEqual(fees(120n, 50n));
    expect(replacementFees(fees(100n, 10n), fees(1_000n, 50n), 112n)).toBeUndefined();
  });
});
