import fc from "fast-check";
import { bytesToHex, encodeErrorResult, type Hex, keccak256, numberToHex, pad, stringToBytes } from "viem";
import { describe, expect, it } from "vitest";
import { appMetadataAbi, appRegistryAbi, resolverAbi } from "../abi/index.ts";
import { contractErrorsAbi, decodeContractRevert } from "./contractRevertError.ts";

describe("decodeContractRevert", () => {
  it("returns the name, arguments, sentence and action of the error", () => {
    const data = encodeErrorResult({
      abi: appRegistryAbi,
      errorName: "VersionNotGreater",
      args: [2, 5, 2, 4],
    });
    const error = decodeContractRevert(data);
    expect(error).toMatchObject({
      name: "ContractRevertError",
      errorName: "VersionNotGreater",
      args: { currentMinor: 2, currentPatch: 5, minor: 2, patch: 4 },
      shortMessage: "Version 2.4 (minor.patch) is not higher than the current 2.5.",
      action: "Choose a higher minor or patch version.",
      retryable: false,
    });
  });

  it("decodes errors of the metadata store and the resolver", () => {
    const store = encodeErrorResult({
      abi: appMetadataAbi,
      errorName: "MetadataTooLarge",
      args: [30000n, 24575n],
    });
    const didHash = keccak256(stringToBytes("did:web:example.com"));
    const account = "0x00000000000000000000000000000000000000AA";
    const resolver = encodeErrorResult({
      abi: resolverAbi,
      errorName: "NotAttested",
      args: [didHash, account],
    });
    expect(decodeContractRevert(store)?.shortMessage).toContain("30000 bytes, but at most 24575");
    expect(decodeContractRevert(resolver)?.shortMessage).toContain(account);
  });

  it("formats times as dates, and marks an error that only needs time as retryable", () => {
    const data = encodeErrorResult({
      abi: appRegistryAbi,
      errorName: "ReclaimNotFinishable",
      args: [7n, 1_800_000_000n],
    });
    expect(decodeContractRevert(data)).toMatchObject({
      shortMessage: "The reclaim of record 7 can't be finished before 2027-01-15T08:00:00Z.",
      retryable: true,
    });
  });

  it("formats a time beyond the range of dates as a number", () => {
    const data = encodeErrorResult({
      abi: appRegistryAbi,
      errorName: "ReclaimNotFinishable",
      args: [7n, 2n ** 64n - 1n],
    });
    expect(decodeContractRevert(data)?.shortMessage).toContain("18446744073709552000");
  });

  it("decodes Solidity's own Error and Panic", () => {
    const abi = [{ type: "error", name: "Panic", inputs: [{ name: "reason", type: "uint256" }] }] as const;
    const panic = encodeErrorResult({ abi, errorName: "Panic", args: [17n] });
    expect(decodeContractRevert(panic)).toMatchObject({ errorName: "Panic" });
  });

  it("returns undefined for the data of unknown errors", () => {
    expect(decodeContractRevert("0x")).toBeUndefined();
    expect(decodeContractRevert("0xdeadbeef")).toBeUndefined();
  });

  it("decodes every error of the contracts, and never throws", () => {
    const byte = fc.uint8Array({ maxLength: 3 });
    const encoded = fc.constantFrom(...contractErrorsAbi).chain((item) => {
      const values = fc.array(fc.bigInt({ min: 0n, max: 255n }), { minLength: 9, maxLength: 9 });
      return values.map((numbers) => {
        const args = item.inputs.map(({ type }, index) => getExample(type, numbers[index] ?? 0n));
        return { item, data: encodeErrorResult({ abi: [item], errorName: item.name, args } as never) };
      });
    });
    fc.assert(
      fc.property(encoded, fc.nat(), byte, ({ item, data }, cut, tail) => {
        const error = decodeContractRevert(data);
        expect(error).toMatchObject({ errorName: item.name });
        expect(Object.keys(error?.args ?? {})).toHaveLength(item.inputs.length);
        expect(error?.shortMessage).not.toMatch(/undefined|NaN|\{\w+\}/);
        // Truncated or extended data is decoded or skipped, but never causes an exception.
        const broken: Hex = `0x${data.slice(2, 2 + 2 * (cut % (data.length / 2)))}${bytesToHex(tail).slice(2)}`;
        expect(decodeContractRevert(broken)?.name).toBeOneOf([undefined, "ContractRevertError"]);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(decodeContractRevert(bytesToHex(bytes))?.name).toBeOneOf([undefined, "ContractRevertError"]);
      }),
    );
  });
});

/** Returns a value of an ABI type, derived from a small number. */
function getExample(type: string, number: bigint): unknown {
  if (type === "address") return pad(numberToHex(number), { size: 20 });
  if (type === "string") return `text ${number}`;
  if (type === "bool") return number % 2n === 1n;
  const bytes = /^bytes(\d+)$/.exec(type);
  if (bytes) return pad(numberToHex(number), { size: Number(bytes[1]) });
  if (type === "bytes") return numberToHex(number);
  // viem represents integers of up to 48 bits as numbers.
  return Number(/^u?int(\d+)$/.exec(type)?.[1] ?? 256) <= 48 ? Number(number) : number;
}
