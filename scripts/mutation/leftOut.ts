import { leftOut } from "../contract-coverage/coverBehaviour.ts";

/** Test files that take no part, because a fault would fail them by its price, or because they build anew. */
export const leftOutFiles: Record<string, string> = { ...leftOut };

/** Folders of Solidity tests that take no part, with the twins that they use. */
export const leftOutFolders: Record<string, string> = {
  "test/solidity/fuzz/": "it runs whole contracts beside twins, for minutes over a single fault",
  "test/solidity/invariants/": "it runs whole contracts for minutes over a single fault",
  "test/solidity/twins/": "only those two use it",
};

/** Whether a file of the repository takes no part. */
export function isLeftOut(path: string): boolean {
  return path in leftOutFiles || Object.keys(leftOutFolders).some((folder) => path.startsWith(folder));
}

/** Solidity tests that take no part, because a fault would fail them by its price. */
export const leftOutTests: Record<string, string> = {
  test_budgetBoundsTheGasOfACall: "it bounds the gas of the optimized code",
};
