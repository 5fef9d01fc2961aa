import {
  BaseError,
  ContractFunctionExecutionError,
  ContractFunctionZeroDataError,
  HttpRequestError,
  TimeoutError,
  UserRejectedRequestError,
  InsufficientFundsError as ViemInsufficientFundsError,
  WaitForTransactionReceiptTimeoutError,
} from "viem";
import { describe, expect, it } from "vitest";
import { appRegistryAbi } from "../abi/index.ts";
import { InvalidDidError, normalizeDid } from "../did.ts";
import { AppRegistryError } from "./appRegistryError.ts";
import { toAppRegistryError } from "./toAppRegistryError.ts";

const inCall = (cause: BaseError) =>
  new ContractFunctionExecutionError(cause, { abi: appRegistryAbi, functionName: "totalSupply" });

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe("toAppRegistryError", () => {
  it.each([
    ["RpcUnavailableError", true, new HttpRequestError({ url: "http://rpc" })],
    ["RpcUnavailableError", true, new TimeoutError({ url: "http://rpc", body: {} })],
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
    const invalid = thrownBy(() => normalizeDid("nonsense"));
    expect(invalid).toBeInstanceOf(InvalidDidError);
    expect(toAppRegistryError(invalid)).toMatchObject({
      message: (invalid as Error).message,
      cause: invalid,
    });
    expect(toAppRegistryError("text").shortMessage).toBe("text");
  });
});
