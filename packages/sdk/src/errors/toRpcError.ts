import { BaseError } from "viem";
import { AppRegistryError } from "./appRegistryError.ts";
import { RpcFailedError } from "./networkErrors.ts";
import { toAppRegistryError } from "./toAppRegistryError.ts";

/** Names what a call of the RPC threw: an answer that viem can't read at all is the RPC's failure too. */
export function toRpcError(error: unknown): AppRegistryError {
  if (error instanceof BaseError || error instanceof AppRegistryError) return toAppRegistryError(error);
  return new RpcFailedError("it does not answer as the JSON-RPC of a chain", error);
}
