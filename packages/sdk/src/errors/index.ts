export { AppRegistryError, type AppRegistryErrorOptions } from "./appRegistryError.ts";
export { contractErrorsAbi } from "./contractErrorsAbi.ts";
export { ContractRevertError, decodeContractRevert } from "./contractRevertError.ts";
export {
  ContractNotDeployedError,
  ReceiptTimeoutError,
  RpcFailedError,
  RpcUnavailableError,
  TimeLimitError,
} from "./networkErrors.ts";
export {
  FeeError,
  InvalidArgumentError,
  NonceError,
  PublicationConflictError,
  UnsupportedMethodError,
  WalletDisconnectedError,
} from "./refusalErrors.ts";
export { ServiceError, ServiceUnavailableError } from "./serviceErrors.ts";
export { toAppRegistryError } from "./toAppRegistryError.ts";
export {
  type Funds,
  InsufficientFundsError,
  NoAccountError,
  RequestRejectedError,
  TransactionRevertedError,
  WrongChainError,
} from "./walletErrors.ts";
