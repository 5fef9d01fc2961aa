import {
  AbiDecodingDataSizeTooSmallError,
  AbiEncodingArrayLengthMismatchError,
  AbiEncodingBytesSizeMismatchError,
  AbiEncodingLengthMismatchError,
  type BaseError,
  ChainDisconnectedError,
  ContractFunctionZeroDataError,
  FeeCapTooHighError,
  FeeCapTooLowError,
  HttpRequestError,
  IntegerOutOfRangeError,
  InternalRpcError,
  IntrinsicGasTooHighError,
  IntrinsicGasTooLowError,
  InvalidAddressError,
  InvalidBytesBooleanError,
  InvalidInputRpcError,
  InvalidParamsRpcError,
  InvalidRequestRpcError,
  JsonRpcVersionUnsupportedError,
  LimitExceededRpcError,
  MethodNotFoundRpcError,
  MethodNotSupportedRpcError,
  NonceMaxValueError,
  NonceTooHighError,
  NonceTooLowError,
  ParseRpcError,
  ProviderDisconnectedError,
  ResourceNotFoundRpcError,
  ResourceUnavailableRpcError,
  RpcRequestError,
  SocketClosedError,
  TimeoutError,
  TipAboveFeeCapError,
  TransactionRejectedRpcError,
  UnauthorizedProviderError,
  UnknownRpcError,
  UnsupportedProviderMethodError,
  UserRejectedRequestError,
  InsufficientFundsError as ViemInsufficientFundsError,
  WaitForTransactionReceiptTimeoutError,
  WebSocketRequestError,
} from "viem";
import type { AppRegistryError } from "./appRegistryError.ts";
import {
  ContractNotDeployedError,
  ReceiptTimeoutError,
  RpcFailedError,
  RpcUnavailableError,
} from "./networkErrors.ts";
import {
  FeeError,
  InvalidArgumentError,
  NonceError,
  UnsupportedMethodError,
  WalletDisconnectedError,
} from "./refusalErrors.ts";
import { InsufficientFundsError, RequestRejectedError } from "./walletErrors.ts";

/**
 * Conversion of an error of viem. It applies if one of its `types` is among the causes, or if `words` match the message
 * of one.
 */
type ViemErrorMapping = {
  types: readonly (new (...parameters: never[]) => BaseError)[];
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
export const viemErrorMappings: readonly ViemErrorMapping[] = [
  {
    types: [ContractFunctionZeroDataError, AbiDecodingDataSizeTooSmallError],
    create: (error) => new ContractNotDeployedError(error),
  },
  { types: [UserRejectedRequestError], create: (error) => new RequestRejectedError(error) },
  {
    types: [ViemInsufficientFundsError],
    words: /insufficient funds|enough funds/i,
    create: (error) => new InsufficientFundsError(error),
  },
  {
    types: [NonceTooLowError, NonceTooHighError, NonceMaxValueError],
    words: /nonce too (low|high)|already known|known transaction/i,
    create: (error) => new NonceError(error),
  },
  {
    types: [
      FeeCapTooLowError,
      FeeCapTooHighError,
      TipAboveFeeCapError,
      IntrinsicGasTooLowError,
      IntrinsicGasTooHighError,
      TransactionRejectedRpcError,
    ],
    words: /underpriced|max ?fee ?per ?gas|gas limit/i,
    create: (error, reason) => new FeeError(reason, error),
  },
  // viem cannot decode the response of a node. Its message repeats a part of the response, so drop the message.
  {
    types: [InvalidBytesBooleanError],
    words: /is not in safe integer range \(-|is out of bounds \(|^Recursive read limit/,
    create: (error) => new RpcFailedError("its response can't be decoded", error),
  },
  // viem repeats the argument, which may be a private key, so drop its message and the cause.
  {
    types: [InvalidAddressError],
    create: () => new InvalidArgumentError("expected an address, 0x and 40 hexadecimal digits"),
  },
  {
    types: [
      IntegerOutOfRangeError,
      AbiEncodingLengthMismatchError,
      AbiEncodingArrayLengthMismatchError,
      AbiEncodingBytesSizeMismatchError,
    ],
    create: (error, reason) => new InvalidArgumentError(reason, error),
  },
  {
    types: [UnauthorizedProviderError, ProviderDisconnectedError, ChainDisconnectedError],
    create: (error) => new WalletDisconnectedError(error),
  },
  {
    types: [MethodNotFoundRpcError, MethodNotSupportedRpcError, UnsupportedProviderMethodError],
    create: (error) => new UnsupportedMethodError(error),
  },
  { types: [WaitForTransactionReceiptTimeoutError], create: (error) => new ReceiptTimeoutError(error) },
  {
    types: [HttpRequestError, WebSocketRequestError, SocketClosedError, TimeoutError],
    create: (error) => new RpcUnavailableError(error, listHttpStatus(error)),
  },
  {
    types: [
      RpcRequestError,
      InternalRpcError,
      LimitExceededRpcError,
      ResourceNotFoundRpcError,
      ResourceUnavailableRpcError,
      InvalidInputRpcError,
      InvalidParamsRpcError,
      InvalidRequestRpcError,
      JsonRpcVersionUnsupportedError,
      ParseRpcError,
      UnknownRpcError,
    ],
    create: (error, reason) => new RpcFailedError(reason, error),
  },
];
