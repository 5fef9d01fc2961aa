import { toAppRegistryError } from "@app-registry/sdk";
import type { Address, PublicClient } from "viem";
import { getBlock } from "viem/actions";

/**
 * Names a key on a chain. The chain's first block tells a local chain from the one before it, which had the same id.
 * @throws RpcUnavailableError when the chain does not answer.
 */
export async function issuerScope(client: PublicClient, chainId: number, issuer: Address): Promise<string> {
  const genesis = await getBlock(client, { blockNumber: 0n }).catch((error: unknown) => {
    throw toAppRegistryError(error);
  });
  return `eip155:${chainId}:${issuer} ${genesis.hash}`;
}
