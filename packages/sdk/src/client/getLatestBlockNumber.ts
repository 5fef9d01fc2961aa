import { getBlockNumber } from "viem/actions";
import { toRpcError } from "../errors/toRpcError.ts";
import type { ClientContext } from "./context.ts";

/** Returns the latest block number, without viem's cache. */
export const getLatestBlockNumber = ({
  publicClient,
}: Pick<ClientContext, "publicClient">): Promise<bigint> =>
  getBlockNumber(publicClient, { cacheTime: 0 }).catch((error) => {
    throw toRpcError(error);
  });
