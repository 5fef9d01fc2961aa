import { type Address, encodeErrorResult, type Hex, parseAbi } from "viem";

const offchainLookup = parseAbi([
  "error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)",
]);

/**
 * Returns the runtime code of a contract that makes its callers request `urls` (EIP-3668), and returns `answer` to the
 * callback.
 */
export function offchainLookupCode(contract: Address, urls: string[], answer: Hex = "0x"): Hex {
  const callback = "0x0ff1ce00";
  const args = [contract, urls, "0x1234", callback, "0x"] as const;
  const lookup = encodeErrorResult({ abi: offchainLookup, errorName: "OffchainLookup", args }).slice(2);
  const word = (value: number) => value.toString(16).padStart(4, "0");
  const lookupSize = lookup.length / 2;
  // PUSH2 size PUSH2 offset PUSH0 CODECOPY PUSH2 size PUSH0: copies the data after the 41 bytes of code.
  const load = (size: number, offset: number) => `61${word(size)}61${word(41 + offset)}5f3961${word(size)}5f`;
  const code = [
    `5f3560e01c63${callback.slice(2)}14601b57`,
    `${load(lookupSize, 0)}fd`,
    `5b${load(answer.length / 2 - 1, lookupSize)}f3`,
  ];
  return `0x${code.join("")}${lookup}${answer.slice(2)}`;
}
