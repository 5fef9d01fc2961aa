import type * as viem from "viem";
import {
  BaseError,
  ContractFunctionExecutionError,
  ContractFunctionRevertedError,
  ExecutionRevertedError,
  type Hex,
  HttpRequestError,
  isHex,
} from "viem";
import {
  AppRegistryError,
  FeeError,
  InvalidArgumentError,
  isPrivateKey,
  NonceError,
  UnsupportedMethodError,
  WalletDisconnectedError,
} from "./appRegistryError.ts";
import { ContractRevertError, decodeContractRevert } from "./contractRevertError.ts";
import {
  ContractNotDeployedError,
  collectMessages,
  ReceiptTimeoutError,
  RpcFailedError,
  RpcUnavailableError,
  redactUrls,
} from "./networkErrors.ts";
import { InsufficientFundsError, RequestRejectedError } from "./walletErrors.ts";

/**
 * Converts an error of viem, a wallet or `fetch` to an {@link AppRegistryError}. The original becomes its `cause`,
 * unless the original repeats what may be a private key. Returns an AppRegistryError unchanged.
 *
 * @example
 * const error = toAppRegistryError(new TypeError("fetch failed"));
 * error.shortMessage; // "fetch failed"
 */
export function toAppRegistryError(error: unknown): AppRegistryError {
  if (error instanceof AppRegistryError) return error;
  if (error instanceof BaseError) {
    const known = fromViem(error);
    if (repeatsKey(error)) delete known.cause;
    return known;
  }
  const message = error instanceof Error ? error.message || error.name : stringifyThrown(error);
  return new AppRegistryError(message, { docsPath: "/sdk#errors", cause: error });
}

/** Returns the text of a thrown value. Objects without a prototype, and those whose `toString` fails, have none. */
function stringifyThrown(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return "A value that is not an error was thrown.";
  }
}

/** Returns true if viem repeats an argument of the call that may be a private key. */
function repeatsKey(error: BaseError): boolean {
  const call = error.walk((cause) => cause instanceof ContractFunctionExecutionError);
  if (!(call instanceof ContractFunctionExecutionError)) return false;
  const { abi, args = [], functionName } = call;
  const item = abi.find((entry) => entry.type === "function" && entry.name === functionName);
  const inputs = item?.type === "function" ? item.inputs : [];
  return inputs.some(({ type }, index) => type === "string" && isPrivateKey(String(args[index])));
}

function fromViem(error: BaseError): AppRegistryError {
  const own = error.walk((cause) => cause instanceof AppRegistryError);
  if (own instanceof AppRegistryError) return own;
  const revert = fromRevert(error);
  if (revert) return revert;
  for (const { names, words, create } of viemErrorMappings) {
    const found = error.walk(
      (cause) =>
        names.some((name) => (cause as Error).name === name) ||
        (words?.test(collectMessages(cause)) ?? false),
    );
    if (found) return create(error, redactUrls(collectMessages(found)) || error.shortMessage);
  }
  return new AppRegistryError(error.shortMessage, { docsPath: "/sdk#errors", cause: error });
}

/** Decodes the contract's own error from the revert data, at any depth of the chain of causes. */
function fromRevert(error: BaseError): AppRegistryError | undefined {
  const reverted = error.walk((inner) => inner instanceof ContractFunctionRevertedError);
  if (reverted instanceof ContractFunctionRevertedError) {
    const decoded = reverted.raw && decodeContractRevert(reverted.raw, { cause: error });
    return (
      decoded ??
      new ContractRevertError("Error", { reason: reverted.reason ?? "no reason" }, { cause: error })
    );
  }
  const data = revertData(error.walk((inner) => revertData(inner) !== undefined));
  const decoded = data && decodeContractRevert(data, { cause: error });
  if (decoded) return decoded;
  if (!error.walk((inner) => inner instanceof ExecutionRevertedError)) return undefined;
  return new ContractRevertError("Error", { reason: "no reason" }, { cause: error });
}

/** Returns the revert data of an error. Nodes put it into `error.data`, some into `error.data.data`. */
function revertData(error: unknown): Hex | undefined {
  const data = (error as { data?: unknown } | null)?.data;
  const nested = typeof data === "object" ? (data as { data?: unknown } | null)?.data : data;
  return isHex(nested) && nested.length >= 10 ? nested : undefined;
}

/**
 * Conversion of an error of viem. It applies if an error with one of these `names` is among the causes, or if `words` match the
 * message of one.
 */
type ViemErrorMapping = {
  names: readonly (keyof typeof viem)[];
  /** Pattern of messages. Nodes use different messages under one common code. */
  words?: RegExp;
  /** Creates the error. `reason` is the message of the innermost matching error. */
  create: (error: BaseError, reason: string) => AppRegistryError;
};

function listHttpStatus(error: BaseError): number | undefined {
  const refused = error.walk((cause) => cause instanceof HttpRequestError);
  return refused instanceof HttpRequestError ? refused.status : undefined;
}

/** Conversions, from the most specific to the most general. The first that applies is used. */
const viemErrorMappings: readonly ViemErrorMapping[] = [
  {
    names: ["ContractFunctionZeroDataError", "AbiDecodingDataSizeTooSmallError"],
    create: (error) => new ContractNotDeployedError(error),
  },
  { names: ["UserRejectedRequestError"], create: (error) => new RequestRejectedError(error) },
  {
    names: ["InsufficientFundsError"],
    words: /insufficient funds|enough funds/i,
    create: (error) => new InsufficientFundsError(error),
  },
  {
    names: ["NonceTooLowError", "NonceTooHighError", "NonceMaxValueError"],
    words: /nonce too (low|high)|already known|known transaction/i,
    create: (error) => new NonceError(error),
  },
  {
    names: [
      "FeeCapTooLowError",
      "FeeCapTooHighError",
      "TipAboveFeeCapError",
      "IntrinsicGasTooLowError",
      "IntrinsicGasTooHighError",
      "TransactionRejectedRpcError",
    ],
    words: /underpriced|max ?fee ?per ?gas|gas limit/i,
    create: (error, reason) => new FeeError(reason, error),
  },
  // viem cannot decode the response of a node. Its message repeats a part of the response, so drop the message.
  {
    names: ["InvalidBytesBooleanError"],
    words: /is not in safe integer range \(-|is out of bounds \(|^Recursive read limit/,
    create: (error) => new RpcFailedError("its response can't be decoded", error),
  },
  // viem repeats the argument, which may be a private key, so drop its message and the cause.
  {
    names: ["InvalidAddressError"],
    create: () => new InvalidArgumentError("expected an address, 0x and 40 hexadecimal digits"),
  },
  {
    names: [
      "IntegerOutOfRangeError",
      "AbiEncodingLengthMismatchError",
      "AbiEncodingArrayLengthMismatchError",
      "AbiEncodingBytesSizeMismatchError",
    ],
    create: (error, reason) => new InvalidArgumentError(reason, error),
  },
  {
    names: ["UnauthorizedProviderError", "ProviderDisconnectedError", "ChainDisconnectedError"],
    create: (error) => new WalletDisconnectedError(error),
  },
  {
    names: ["MethodNotFoundRpcError", "MethodNotSupportedRpcError", "UnsupportedProviderMethodError"],
    create: (error) => new UnsupportedMethodError(error),
  },
  { names: ["WaitForTransactionReceiptTimeoutError"], create: (error) => new ReceiptTimeoutError(error) },
  {
    names: ["HttpRequestError", "WebSocketRequestError", "SocketClosedError", "TimeoutError"],
    create: (error) => new RpcUnavailableError(error, listHttpStatus(error)),
  },
  {
    names: [
      "RpcRequestError",
      "InternalRpcError",
      "LimitExceededRpcError",
      "ResourceNotFoundRpcError",
      "ResourceUnavailableRpcError",
      "InvalidInputRpcError",
      "InvalidParamsRpcError",
      "InvalidRequestRpcError",
      "JsonRpcVersionUnsupportedError",
      "ParseRpcError",
      "UnknownRpcError",
    ],
    create: (error, reason) => new RpcFailedError(reason, error),
  },
];

/** Converts an error of an RPC call. A response that viem cannot read becomes an `RpcFailedError`. */
export function toRpcError(error: unknown): AppRegistryError {
  if (error instanceof BaseError || error instanceof AppRegistryError) return toAppRegistryError(error);
  return new RpcFailedError("its response is not JSON-RPC", error);
}
