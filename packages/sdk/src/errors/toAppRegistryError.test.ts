import fc from "fast-check";
import {
  BaseError,
  bytesToHex,
  ChainDisconnectedError,
  ContractFunctionExecutionError,
  ContractFunctionZeroDataError,
  decodeFunctionResult,
  FeeCapTooLowError,
  HttpRequestError,
  IntegerOutOfRangeError,
  InvalidAddressError,
  LimitExceededRpcError,
  MethodNotFoundRpcError,
  NonceTooLowError,
  RpcRequestError,
  SocketClosedError,
  TimeoutError,
  UnauthorizedProviderError,
  UnknownRpcError,
  UserRejectedRequestError,
  InsufficientFundsError as ViemInsufficientFundsError,
  WaitForTransactionReceiptTimeoutError,
  WebSocketRequestError,
} from "viem";
import { describe, expect, it } from "vitest";
import { appRegistryAbi } from "../abi/index.ts";
import { AppRegistryError } from "./appRegistryError.ts";
import { toAppRegistryError, toRpcError } from "./toAppRegistryError.ts";

/** Returns the error of a node with a common code and its own message. */
const refusal = (message: string) =>
  new RpcRequestError({ body: {}, url: "http://rpc", error: { code: -32000, message } });

const inCall = (cause: BaseError) =>
  new ContractFunctionExecutionError(cause, { abi: appRegistryAbi, functionName: "totalSupply" });

describe("toAppRegistryError", () => {
  it.each(["ff", "00", "20"].map((byte) => byte.repeat(1_000)))(
    "returns RpcFailedError for a response that can't be decoded (%#)",
    (data) => {
      for (const { name } of appRegistryAbi.filter(({ type }) => type === "function") as {
        name: "totalSupply";
      }[])
        try {
          decodeFunctionResult({ abi: appRegistryAbi, functionName: name, data: `0x${data}` });
        } catch (error) {
          expect(toAppRegistryError(inCall(error as BaseError)), name).toMatchObject({
            name: "RpcFailedError",
            retryable: true,
          });
        }
    },
  );

  it.each([
    ["RpcUnavailableError", true, new HttpRequestError({ url: "http://rpc" })],
    ["RpcUnavailableError", true, new HttpRequestError({ url: "http://rpc", status: 429 })],
    ["RpcUnavailableError", true, new HttpRequestError({ url: "http://rpc", status: 502 })],
    ["RpcUnavailableError", false, new HttpRequestError({ url: "http://rpc", status: 404 })],
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
    ["InsufficientFundsError", false, refusal("Sender doesn't have enough funds to send tx.")],
    ["NonceError", true, new NonceTooLowError()],
    ["NonceError", true, refusal("Nonce too low. Expected nonce to be 7 but got 6.")],
    ["NonceError", true, refusal("already known")],
    ["FeeError", true, new FeeCapTooLowError()],
    ["FeeError", true, refusal("replacement transaction underpriced")],
    ["InvalidArgumentError", false, new IntegerOutOfRangeError({ max: "255", min: "0", value: "300" })],
    ["WalletDisconnectedError", true, new UnauthorizedProviderError(new Error("not authorised"))],
    ["WalletDisconnectedError", true, new ChainDisconnectedError(new Error("no chain"))],
    ["UnsupportedMethodError", false, new MethodNotFoundRpcError(new Error("no such method"))],
    ["RpcFailedError", true, new LimitExceededRpcError(new Error("too many requests"))],
    ["RpcFailedError", true, new UnknownRpcError(new TypeError("undefined is not iterable"))],
    ["RpcUnavailableError", true, new WebSocketRequestError({ url: "ws://rpc" })],
    ["RpcUnavailableError", true, new SocketClosedError()],
    ["ReceiptTimeoutError", true, new WaitForTransactionReceiptTimeoutError({ hash: "0x01" })],
  ] as const)("returns %s (retryable: %s) for an error of viem", (name, retryable, cause) => {
    const error = inCall(cause);
    const wrapped = toAppRegistryError(error);
    expect(wrapped).toMatchObject({ name, retryable });
    expect(wrapped.cause).toBe(error);
    expect(wrapped.shortMessage).toMatch(/\.$/);
    expect(wrapped.action).toMatch(/\.$/);
  });

  it("omits an invalid address, which may be a private key", () => {
    const wrapped = toAppRegistryError(inCall(new InvalidAddressError({ address: "0x1" })));
    expect(wrapped).toMatchObject({ name: "InvalidArgumentError", retryable: false });
    expect(wrapped.cause).toBeUndefined();
    expect(wrapped.message).not.toContain("0x1");
  });

  it("returns an AppRegistryError unchanged", () => {
    const error = new AppRegistryError("Mine.");
    expect(toAppRegistryError(error)).toBe(error);
    expect(toAppRegistryError(new BaseError("outer", { cause: error }))).toBe(error);
  });

  it.each([
    [
      'Post "https://mainnet.example/v3/0123456789abcdef": dial tcp 10.0.0.5:8545: connection refused',
      'The RPC endpoint failed: Post "(a URL)": dial tcp (an address): connection refused.',
    ],
    ["dial tcp [fd00::5]:8545: i/o timeout", "The RPC endpoint failed: dial tcp (an address): i/o timeout."],
    [
      "project 0123456789abcdef0123456789abcdef has exceeded its rate limit",
      "The RPC endpoint failed: project (a key) has exceeded its rate limit.",
    ],
    [
      "contract 0x5FbDB2315678afecb367f032d93F642f64180aa3 at block 12345678901234567890 ran out of gas",
      "The RPC endpoint failed: contract 0x5FbDB2315678afecb367f032d93F642f64180aa3 at block 12345678901234567890 ran out of gas.",
    ],
    // @threat services: A stack trace or a key in an answer, log or readable file
  ])("redacts keys and addresses of the operator's network: %s", (words, shortMessage) => {
    const error = toAppRegistryError(inCall(refusal(words)));
    expect(error).toMatchObject({ name: "RpcFailedError", shortMessage });
  });

  it("wraps other errors with their message", () => {
    const error = new TypeError("fetch failed");
    expect(toAppRegistryError(error)).toMatchObject({ shortMessage: "fetch failed", cause: error });
    expect(toAppRegistryError("text").shortMessage).toBe("text");
  });

  it("returns an AppRegistryError for any value, and returns that unchanged", () => {
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

it("toRpcError returns RpcFailedError for a response that could not be read", () => {
  const cause = new SyntaxError("Cannot convert twelve to a BigInt");
  expect(toRpcError(cause)).toMatchObject({ name: "RpcFailedError", retryable: true, cause });
});

it("toRpcError converts errors of viem, and returns an AppRegistryError unchanged", () => {
  expect(toRpcError(new HttpRequestError({ url: "http://rpc" }))).toMatchObject({
    name: "RpcUnavailableError",
  });
  const own = new AppRegistryError("Mine.");
  expect(toRpcError(own)).toBe(own);
});
