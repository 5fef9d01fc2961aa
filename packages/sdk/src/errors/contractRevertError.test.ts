import { encodeErrorResult, keccak256, stringToBytes } from "viem";
import { describe, expect, it } from "vitest";
import { appMetadataAbi, appRegistryAbi, resolverAbi } from "../abi/index.ts";
import { decodeContractRevert } from "./contractRevertError.ts";

describe("decodeContractRevert", () => {
  it("names the error, its arguments, the reason and the way out", () => {
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
      shortMessage: "Version 2.4 (minor.patch) is not above the current 2.5.",
      action: "Choose a higher minor or patch version.",
      retryable: false,
    });
  });

  it("decodes errors of every contract, whichever was called", () => {
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
    expect(decodeContractRevert(store)?.shortMessage).toContain("30000 bytes; at most 24575");
    expect(decodeContractRevert(resolver)?.shortMessage).toContain(account);
  });

  it("shows times as dates and calls a matter of waiting retryable", () => {
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

  it("keeps a time beyond all dates as a number", () => {
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

  it("leaves data of unknown errors to the caller", () => {
    expect(decodeContractRevert("0x")).toBeUndefined();
    expect(decodeContractRevert("0xdeadbeef")).toBeUndefined();
  });
});
