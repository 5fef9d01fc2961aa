import { BaseError } from "viem";
import { AppRegistryError } from "./appRegistryError.ts";
import { RpcFailedError } from "./networkErrors.ts";
import { toAppRegistryError } from "./toAppRegistryError.ts";

/** Converts an error of an RPC call. A response that viem cannot read becomes an `RpcFailedError`. */
export function toRpcError(error: unknown): AppRegistryError {
  if (error instanceof BaseError || error instanceof AppRegistryError) return toAppRegistryError(error);
  return new RpcFailedError("its response is not JSON-RPC", error);
}
