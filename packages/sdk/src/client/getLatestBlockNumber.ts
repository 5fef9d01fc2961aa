import { getBlockNumber } from "viem/actions";
import { toRpcError } from "../errors/toRpcError.ts";
import type { ClientContext } from "./context.ts";

/** The chain's latest block now, not one that was asked for a moment ago. */
export const getLatestBlockNumber = ({
  publicClient,
}: Pick<ClientContext, "publicClient">): Promise<bigint> =>
  getBlockNumber(publicClient, { cacheTime: 0 }).catch((error) => {
    throw toRpcError(error);
  });
