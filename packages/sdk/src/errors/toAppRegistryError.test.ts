import fc from "fast-check";
import {
  BaseError,
  bytesToHex,
  ContractFunctionExecutionError,
  ContractFunctionZeroDataError,
  HttpRequestError,
  RpcRequestError,
  TimeoutError,
  UserRejectedRequestError,
  InsufficientFundsError as ViemInsufficientFundsError,
  WaitForTransactionReceiptTimeoutError,
} from "viem";
import { describe, expect, it } from "vitest";
import { appRegistryAbi } from "../abi/index.ts";
import { AppRegistryError } from "./appRegistryError.ts";
import { toAppRegistryError } from "./toAppRegistryError.ts";

const inCall = (cause: BaseError) =>
  new ContractFunctionExecutionError(cause, { abi: appRegistryAbi, functionName: "totalSupply" });

describe("toAppRegistryError", () => {
  it.each([
    ["RpcUnavailableError", true, new HttpRequestError({ url: "http://rpc" })],
    ["RpcUnavailableError", true, new TimeoutError({ url: "http://rpc", body: {} })],
    [
      "RpcFailedError",
      true,
      new RpcRequestError({
        body: {},
        url: "http://rpc",
        error: { code: -32000, message: "header not found" },
      }),
    ],
    ["ContractNotDeployedError", false, new ContractFunctionZeroDataError({ functionName: "totalSupply" })],
    ["RequestRejectedError", true, new UserRejectedRequestError(new Error("denied"))],
    ["InsufficientFundsError", false, new ViemInsufficientFundsError()],
    ["ReceiptTimeoutError", true, new WaitForTransactionReceiptTimeoutError({ hash: "0x01" })],
  ] as const)("makes a %s (retryable: %s) of what viem throws", (name, retryable, cause) => {
    const error = inCall(cause);
    const wrapped = toAppRegistryError(error);
    expect(wrapped).toMatchObject({ name, retryable });
    expect(wrapped.cause).toBe(error);
    expect(wrapped.shortMessage).toMatch(/\.$/);
    expect(wrapped.action).toMatch(/\.$/);
  });

  it("keeps an error of its own", () => {
    const error = new AppRegistryError("Mine.");
    expect(toAppRegistryError(error)).toBe(error);
    expect(toAppRegistryError(new BaseError("outer", { cause: error }))).toBe(error);
  });

  it("wraps other errors with their message", () => {
    const error = new TypeError("fetch failed");
    expect(toAppRegistryError(error)).toMatchObject({ shortMessage: "fetch failed", cause: error });
    expect(toAppRegistryError("text").shortMessage).toBe("text");
  });

  it("makes an AppRegistryError of whatever is thrown, and leaves it as it is the second time", () => {
    const data = fc.oneof(
      fc.uint8Array({ maxLength: 70 }).map((bytes) => bytesToHex(bytes)),
      fc.anything(),
    );
    const thrown = fc.oneof(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withNullPrototype: true,
      }),
      data.map(
        (value) => new BaseError("refused", { cause: Object.assign(new Error("inner"), { data: value }) }),
      ),
      data.map((value) =>
        inCall(new BaseError("refused", { cause: Object.assign(new Error(""), { data: { data: value } }) })),
      ),
      fc.string().map((message) => new Error(message)),
    );
    fc.assert(
      fc.property(thrown, (value) => {
        const error = toAppRegistryError(value);
        expect(error).toBeInstanceOf(AppRegistryError);
        expect(toAppRegistryError(error)).toBe(error);
        expect(typeof error.shortMessage).toBe("string");
      }),
    );
  });
});
