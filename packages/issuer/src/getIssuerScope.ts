import { toAppRegistryError } from "@app-registry/sdk";
import type { Address, PublicClient } from "viem";
import { getBlock } from "viem/actions";

/**
 * Names a key on a chain. The chain's first block distinguishes a local chain from an earlier one with the same id.
 * @throws RpcUnavailableError when the chain does not answer.
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
