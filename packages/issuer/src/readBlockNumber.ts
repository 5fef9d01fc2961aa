import { toAppRegistryError } from "@app-registry/sdk";
import { getBlockNumber } from "viem/actions";
import type { IssuerContext } from "./issuerContext.ts";

/**
 * Number of the chain's latest block, never a remembered one.
 * @throws RpcUnavailableError when the chain does not answer.
 */
export async function readBlockNumber({
  publicClient,
}: Pick<IssuerContext, "publicClient">): Promise<bigint> {
  return getBlockNumber(publicClient, { cacheTime: 0 }).catch((error: unknown) => {
    throw toAppRegistryError(error);
  });
}
