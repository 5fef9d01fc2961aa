import { BaseError } from "viem";
import { AppRegistryError } from "./appRegistryError.ts";
import { RpcFailedError } from "./networkErrors.ts";
import { toAppRegistryError } from "./toAppRegistryError.ts";

/** Names what an RPC call threw; an answer that viem can't read is also the RPC's failure. */
export function toRpcError(error: unknown): AppRegistryError {
  if (error instanceof BaseError || error instanceof AppRegistryError) return toAppRegistryError(error);
  return new RpcFailedError("its response is not JSON-RPC", error);
}
