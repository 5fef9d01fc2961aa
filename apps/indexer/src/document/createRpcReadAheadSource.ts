import { appMetadataAbi } from "@app-registry/sdk/abi";
import { type Address, createPublicClient, type Hex } from "viem";
import { createRpcTransport } from "../createRpcTransport.ts";
import type { ReadAheadSource } from "./readAhead.ts";

/** Calls in one batch request, if the RPC supports batches. */
const BATCH_SIZE = 25;

/** Creates a source that reads the documents of an AppMetadata contract over RPC. Does not retry failed calls. */
export function createRpcReadAheadSource(address: Address): ReadAheadSource {
  const clientWith = (batch: false | { batchSize: number }) =>
    createPublicClient({ transport: createRpcTransport({ batch, retryCount: 0 }) });
  const single = clientWith(false);
  const batched = clientWith({ batchSize: BATCH_SIZE });
  // Only the first response tells if the RPC supports batches. Later failures have other causes.
  let takesBatches: boolean | undefined;
  return {
    blockNumber: async () => Number(await single.getBlockNumber({ cacheTime: 0 })),
    listPointers: async (fromBlock, toBlock) => {
      const events = await single.getContractEvents({
        address,
        abi: appMetadataAbi,
        eventName: "MetadataSet",
        fromBlock: BigInt(fromBlock),
        toBlock: BigInt(toBlock),
        strict: true,
      });
      return events.map(({ args }) => args.pointer.toLowerCase() as Hex);
    },
    getCode: async (pointer) => {
      try {
        const code = await (takesBatches === false ? single : batched).getCode({ address: pointer });
        takesBatches ??= true;
        return code;
      } catch (error) {
        takesBatches ??= false;
        throw error;
      }
    },
  };
}
