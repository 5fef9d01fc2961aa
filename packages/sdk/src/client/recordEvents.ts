import type { Hex } from "viem";
import { getContractEvents } from "viem/actions";
import { toRpcError } from "../errors/toRpcError.ts";
import { type BlockRange, readInRanges } from "./blockRanges.ts";
import { type ClientContext, metadataContract, registryContract } from "./context.ts";

/**
 * Reads the events of one record up to a block, oldest first: its mint, its updates, and every JSON stored for its DID.
 */
export async function getRecordEvents(
  context: ClientContext,
  { tokenId, didHash, blockNumber }: { tokenId: bigint; didHash: Hex; blockNumber: bigint },
) {
  const { publicClient, deployment } = context;
  const registry = registryContract(context);
  const store = metadataContract(context);
  try {
    const span = { fromBlock: BigInt(deployment.deployBlock), toBlock: blockNumber };
    const [minted, updated, stored] = await Promise.all([
      readInRanges(span, (range: BlockRange) =>
        getContractEvents(publicClient, {
          ...registry,
          ...range,
          eventName: "AppMinted",
          args: { tokenId },
          strict: true,
        }),
      ),
      readInRanges(span, (range: BlockRange) =>
        getContractEvents(publicClient, {
          ...registry,
          ...range,
          eventName: "AppUpdated",
          args: { tokenId },
          strict: true,
        }),
      ),
      readInRanges(span, (range: BlockRange) =>
        getContractEvents(publicClient, {
          ...store,
          ...range,
          eventName: "MetadataSet",
          args: { didHash },
          strict: true,
        }),
      ),
    ]);
    return { minted, updated, stored };
  } catch (error) {
    throw toRpcError(error);
  }
}
