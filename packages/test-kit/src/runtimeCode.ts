import type { Address, Hex } from "viem";

/** Handwritten runtime code of contracts that no compiler would produce. Texts are hexadecimal, without 0x. */

export const selectors = { "owner()": "8da5cb5b", "getOwner()": "893d20e8", "admin()": "f851a440" };

/** Storage slots of EIP-1967. */
export const adminSlot = "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103";
export const beaconSlot = "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";

/**
 * Returns code that returns an address for one selector (PUSH0 CALLDATALOAD PUSH1 e0 SHR PUSH4 … EQ) and reverts
 * otherwise.
 */
export const getter = (way: keyof typeof selectors, value: Address) =>
  `5f3560e01c63${selectors[way]}146011575f5ffd5b73${value.slice(2)}5f5260205ff3`;

/** Returns code that returns the address of the executing account for one selector. */
export const namesItself = (way: keyof typeof selectors) =>
  `5f3560e01c63${selectors[way]}146011575f5ffd5b305f5260205ff3`;

/** Returns the code of a minimal proxy (EIP-1167), which forwards every call to one implementation. */
export const createClone = (implementation: Address) =>
  `363d3d373d3d3d363d73${implementation.slice(2)}5af43d82803e903d91602b57fd5bf3`;

const word = (value: Hex) => value.slice(2).padStart(64, "0");
export const supportsErc165 = { selector: "01ffc9a7", argument: "01ffc9a7".padEnd(64, "0") };
export const supportsAccessControl = { selector: "01ffc9a7", argument: "7965db0b".padEnd(64, "0") };
export const supportsEverything = { selector: "01ffc9a7", argument: "ffffffff".padEnd(64, "0") };
export const hasRole = (account: Address) => ({ selector: "91d14854", argument: "", account: word(account) });

/**
 * Returns code that returns 1 for the given questions, and `role` for any `hasRole` call if given, and reverts
 * otherwise. Compares a question word by word: the selector, then its first argument (`hasRole`: the second).
 */
export function accessControl(
  questions: readonly { selector: string; argument: string; account?: string }[],
  role = "",
): string {
  const blocks = questions.map(({ selector, argument, account }) => {
    // PUSH1 offset CALLDATALOAD PUSH32 … EQ, PUSH0 CALLDATALOAD PUSH1 e0 SHR PUSH4 … EQ AND
    const compared = account === undefined ? `6004357f${argument}14` : `6024357f${account}14`;
    return `${compared}5f3560e01c63${selector}1416`;
  });
  const code = { text: "" };
  const returnOne = "60015f5260205ff3";
  for (const block of blocks) {
    const start = code.text.length / 2;
    const target = start + block.length / 2 + 5 + returnOne.length / 2;
    // ISZERO PUSH2 target JUMPI, return, JUMPDEST
    code.text += `${block}1561${target.toString(16).padStart(4, "0")}57${returnOne}5b`;
  }
  if (role !== "") {
    const block = "5f3560e01c6391d1485414";
    const target = code.text.length / 2 + block.length / 2 + 5 + 8;
    code.text += `${block}1561${target.toString(16).padStart(4, "0")}57${role}5f5260205ff35b`;
  }
  return `${code.text}5f5ffd`;
}
