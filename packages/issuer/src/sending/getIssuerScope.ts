import { toAppRegistryError } from "@app-registry/sdk";
import type { Address, PublicClient } from "viem";
import { getBlock } from "viem/actions";

/**
 * Returns an identifier of a key on a chain. It includes the genesis block, to distinguish local chains with the same
 * ID.
 * @throws {RpcUnavailableError} if the chain does not respond.
 */
export async function getIssuerScope(
  client: PublicClient,
  chainId: number,
  issuer: Address,
): Promise<string> {
  const genesis = await getBlock(client, { blockNumber: 0n }).catch((error: unknown) => {
    throw toAppRegistryError(error);
  });
  return `eip155:${chainId}:${issuer} ${genesis.hash}`;
}
