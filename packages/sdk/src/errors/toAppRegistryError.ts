import {
  BaseError,
  ChainMismatchError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  ExecutionRevertedError,
  type Hex,
  HttpRequestError,
  InternalRpcError,
  isHex,
  LimitExceededRpcError,
  ResourceUnavailableRpcError,
  RpcRequestError,
  SocketClosedError,
  TimeoutError,
  UserRejectedRequestError,
  InsufficientFundsError as ViemInsufficientFundsError,
  WaitForTransactionReceiptTimeoutError,
  WebSocketRequestError,
} from "viem";
import { AppRegistryError } from "./appRegistryError.ts";
import { ContractRevertError, decodeContractRevert } from "./contractRevertError.ts";
import {
  ContractNotDeployedError,
  ReceiptTimeoutError,
  RpcFailedError,
  RpcUnavailableError,
} from "./networkErrors.ts";
import { InsufficientFundsError, RequestRejectedError } from "./walletErrors.ts";

const unavailable = [HttpRequestError, WebSocketRequestError, SocketClosedError, TimeoutError];

const failed = [RpcRequestError, InternalRpcError, LimitExceededRpcError, ResourceUnavailableRpcError];

/**
 * Turns whatever viem, a wallet or `fetch` throws into an {@link AppRegistryError}. The original is its `cause`;
 * an AppRegistryError comes back as it is.
 */
export function toAppRegistryError(error: unknown): AppRegistryError {
  if (error instanceof AppRegistryError) return error;
  if (error instanceof BaseError) return fromViem(error);
  if (error instanceof Error) {
    return new AppRegistryError(error.message || error.name, { cause: error });
  }
  return new AppRegistryError(textOf(error), { cause: error });
}

/** Objects without a prototype, and those whose toString fails, have no text. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return "Something that is no error was thrown.";
  }
}

function fromViem(error: BaseError): AppRegistryError {
  const find = <T extends BaseError>(type: new (...args: never[]) => T) =>
    error.walk((inner) => inner instanceof type) as T | null;

  const inner = error.walk((cause) => cause instanceof AppRegistryError);
  if (inner instanceof AppRegistryError) return inner;
  const revert = fromRevert(error);
  if (revert) return revert;
  if (find(ContractFunctionZeroDataError)) return new ContractNotDeployedError(error);
  if (find(UserRejectedRequestError)) return new RequestRejectedError(error);
  if (find(ViemInsufficientFundsError)) return new InsufficientFundsError(error);
  const mismatch = find(ChainMismatchError);
  if (mismatch) {
    return new AppRegistryError(mismatch.shortMessage, {
      action: "Switch the wallet's chain.",
      cause: error,
    });
  }
  if (find(WaitForTransactionReceiptTimeoutError)) return new ReceiptTimeoutError(error);
  if (unavailable.some((type) => find<BaseError>(type))) return new RpcUnavailableError(error);
  const failure = error.walk((cause) => failed.some((type) => cause instanceof type));
  if (failure instanceof BaseError) return new RpcFailedError(failure.details || failure.shortMessage, error);
  return new AppRegistryError(error.shortMessage, { cause: error });
}

/** The contract's own reason, wherever in the chain of causes the revert data stands. */
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

/** Nodes put the data into `error.data`, some into `error.data.data`. */
function revertData(error: unknown): Hex | undefined {
  const data = (error as { data?: unknown } | null)?.data;
  const nested = typeof data === "object" ? (data as { data?: unknown } | null)?.data : data;
  return isHex(nested) && nested.length >= 10 ? nested : undefined;
}
