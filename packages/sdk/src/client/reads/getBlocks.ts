import type { Address } from "viem";
import { getContractEvents } from "viem/actions";
import { toRpcError } from "../../errors/toRpcError.ts";
import { type BlockRange, readInRanges } from "../blockRanges.ts";
import { type BlockParameter, type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { getLatestBlockNumber } from "../getLatestBlockNumber.ts";
import { type Block, getBlock } from "./getBlock.ts";

/**
 * Reads every account that is blocked from controlling a DID, oldest block first. Searches the chain's logs, because
 * the resolver has no list of blocks.
 *
 * @throws {RpcUnavailableError} or `RpcFailedError` when the RPC does not return the logs.
 * @example
 * const blocks = await client.getBlocks({ did });
 * const [first] = blocks.map(({ controller }) => controller);
 */
export async function getBlocks(
  context: ClientContext,
  { did, blockNumber }: BlockParameter & { did: string },
): Promise<(Block & { controller: Address })[]> {
  const toBlock = blockNumber ?? (await getLatestBlockNumber(context));
  const event = { ...resolverContract(context), eventName: "ControllerBlocked", strict: true } as const;
  const args = { didHash: toDidHash(did) };
  const span = { fromBlock: BigInt(context.deployment.deployBlock), toBlock };
  const events = await readInRanges(span, (range: BlockRange) =>
    getContractEvents(context.publicClient, { ...event, ...range, args }),
  ).catch((error: unknown) => {
    throw toRpcError(error);
  });
  const accounts = [...new Set(events.map((one) => one.args.account))];
  const blocks = await Promise.all(
    accounts.map((controller) => getBlock(context, { did, controller, blockNumber: toBlock })),
  );
  return accounts.flatMap((controller, index) => {
    const block = blocks[index];
    return block ? [{ controller, ...block }] : [];
  });
}
