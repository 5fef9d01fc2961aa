import { leftOut } from "../contract-coverage/coverBehaviour.ts";

/** Test files that take no part, because a fault would fail them by its price, or because they build anew. */
export const leftOutFiles: Record<string, string> = { ...leftOut };

/** Solidity tests that take no part, for the same reason. */
export const leftOutTests: Record<string, string> = {
  test_budgetBoundsTheGasOfACall: "it bounds the gas of the optimized code",
};
