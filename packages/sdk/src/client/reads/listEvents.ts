import { type Log, type ParseEventLogsReturnType, parseEventLogs } from "viem";
import { getLogs } from "viem/actions";
import { appMetadataAbi, appRegistryAbi, resolverAbi } from "../../abi/index.ts";
import { toRpcError } from "../../errors/toRpcError.ts";
import { type BlockRange, readInRanges } from "../blockRanges.ts";
import type { ClientContext } from "../context.ts";
import { getLatestBlockNumber } from "../getLatestBlockNumber.ts";

type AbiEvents<Entry> = Extract<Entry, { type: "event" }>;
type ContractsAbi = typeof appRegistryAbi | typeof appMetadataAbi | typeof resolverAbi;

const contractsAbi: readonly ContractsAbi[number][] = [...appRegistryAbi, ...appMetadataAbi, ...resolverAbi];

const eventsAbi = contractsAbi.filter(
  (entry): entry is AbiEvents<ContractsAbi[number]> => entry.type === "event",
);

/** An event of one of the three contracts. `eventName` says which, and determines the type of `args`. */
export type RegistryEvent = ParseEventLogsReturnType<typeof eventsAbi, undefined, true>[number];

/** The events of some blocks, oldest first. `toBlock` is the last of these blocks; the next page starts after it. */
export type EventPage = { events: readonly RegistryEvent[]; toBlock: bigint };

/** Events read while they are iterated: `for await (const event of listing)`, or page by page. */
export type EventListing = AsyncIterable<RegistryEvent> & {
  /** The same events in pages of blocks; a page without events shows how far the chain was read. */
  pages(): AsyncIterable<EventPage>;
};

/** The blocks to read. */
export type ListEventsParameters = {
  /** First block; default the deployment's. */
  fromBlock?: bigint | undefined;
  /** Last block; default the latest when the listing starts. */
  toBlock?: bigint | undefined;
};

/** Blocks in a page; an RPC with a lower limit is asked for smaller spans. */
const blocksInPage = 5_000n;

/**
 * Lists the events of the three contracts since a block, in the chain's order. To follow the chain, continue after the
 * `toBlock` of the last page.
 *
 * @throws {RpcUnavailableError} or `RpcFailedError` while it is iterated.
 * @example
 * for await (const event of client.listEvents({ fromBlock })) {
 *   if (event.eventName === "AppMinted") console.log(event.args.did, event.blockNumber);
 * }
 */
export function listEvents(context: ClientContext, parameters: ListEventsParameters = {}): EventListing {
  async function* pages(): AsyncGenerator<EventPage> {
    const last = parameters.toBlock ?? (await getLatestBlockNumber(context));
    let fromBlock = parameters.fromBlock ?? BigInt(context.deployment.deployBlock);
    while (fromBlock <= last) {
      const end = fromBlock + blocksInPage - 1n;
      const toBlock = end < last ? end : last;
      yield { events: await readEvents(context, { fromBlock, toBlock }), toBlock };
      fromBlock = toBlock + 1n;
    }
  }
  async function* events(): AsyncGenerator<RegistryEvent> {
    for await (const page of pages()) yield* page.events;
  }
  return { pages, [Symbol.asyncIterator]: events };
}

async function readEvents({ publicClient, deployment }: ClientContext, range: BlockRange) {
  const address = Object.values(deployment.contracts).map((contract) => contract.address);
  try {
    const logs = await readInRanges<Log>(range, (span) => getLogs(publicClient, { address, ...span }));
    return parseEventLogs({ abi: eventsAbi, logs, strict: true });
  } catch (error) {
    throw toRpcError(error);
  }
}
