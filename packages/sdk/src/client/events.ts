import {
  BaseError,
  HttpRequestError,
  type Log,
  type ParseEventLogsReturnType,
  parseEventLogs,
  RpcRequestError,
} from "viem";
import { getBlockNumber, getLogs } from "viem/actions";
import { eventsAbi } from "../deployment.ts";
import { toRpcError } from "../errors/toAppRegistryError.ts";
import { method } from "./calls.ts";
import type { ClientContext } from "./context.ts";

/** Returns the latest block number, without viem's cache. */
export const getLatestBlockNumber = ({
  publicClient,
}: Pick<ClientContext, "publicClient">): Promise<bigint> =>
  getBlockNumber(publicClient, { cacheTime: 0 }).catch((error) => {
    throw toRpcError(error);
  });

/** Range of blocks, both ends included. */
export type BlockRange = { fromBlock: bigint; toBlock: bigint };

/** Smallest range to split, in blocks. An RPC that refuses fewer blocks does so for another reason. */
const smallestSpan = 64n;

/**
 * Reads logs over a range of blocks. Splits the range in half whenever the RPC refuses it, because public RPCs limit
 * the blocks or logs of one call, each with its own error.
 */
export async function readInRanges<Log>(
  range: BlockRange,
  read: (range: BlockRange) => Promise<readonly Log[]>,
): Promise<Log[]> {
  if (range.fromBlock > range.toBlock) return [];
  try {
    return [...(await read(range))];
  } catch (error) {
    const span = range.toBlock - range.fromBlock;
    if (span < smallestSpan || !refusesSpan(error)) throw error;
    const middle = range.fromBlock + span / 2n;
    const older = await readInRanges({ fromBlock: range.fromBlock, toBlock: middle }, read);
    return older.concat(await readInRanges({ fromBlock: middle + 1n, toBlock: range.toBlock }, read));
  }
}

/** Returns true if the RPC refused the request, and false if it did not respond. */
function refusesSpan(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  if (error.walk((inner) => inner instanceof RpcRequestError)) return true;
  const http = error.walk((inner) => inner instanceof HttpRequestError);
  return http instanceof HttpRequestError && (http.status === 400 || http.status === 413);
}

/** Event of one of the three contracts. `eventName` determines the type of `args`. */
export type RegistryEvent = ParseEventLogsReturnType<typeof eventsAbi, undefined, true>[number];

/**
 * Events of a range of blocks, oldest first. `toBlock` is the last block of the range; the next page starts after it.
 */
export type EventPage = { events: readonly RegistryEvent[]; toBlock: bigint };

/** Events that are read while they are iterated: `for await (const event of listing)`, or page by page. */
export type EventListing = AsyncIterable<RegistryEvent> & {
  /** Iterates over pages of blocks. A page without events shows how far the chain was read. */
  pages(): AsyncIterable<EventPage>;
};

/** Range of blocks to read. */
export type ListEventsParameters = {
  /** First block. Default: the deployment's first block. */
  fromBlock?: bigint | undefined;
  /** Last block. Default: the latest block when the listing starts. */
  toBlock?: bigint | undefined;
};

/** Blocks per page. A page is read in smaller ranges if the RPC has a lower limit. */
const blocksInPage = 5_000n;

/**
 * Lists the events of the three contracts in a range of blocks, in the chain's order. To follow the chain, continue
 * after the `toBlock` of the last page.
 *
 * @throws {RpcUnavailableError} or `RpcFailedError` while it is iterated, when the RPC does not return the logs.
 * @example
 * for await (const event of client.listEvents({ fromBlock })) {
 *   if (event.eventName === "AppMinted") console.log(event.args.did, event.blockNumber);
 * }
 */
export const listEvents = method(
  "fromBlock? toBlock?",
  (context: ClientContext, parameters: ListEventsParameters = {}): EventListing => {
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
  },
);

async function readEvents({ publicClient, deployment }: ClientContext, range: BlockRange) {
  const address = Object.values(deployment.contracts).map((contract) => contract.address);
  try {
    const logs = await readInRanges<Log>(range, (span) => getLogs(publicClient, { address, ...span }));
    return parseEventLogs({ abi: eventsAbi, logs, strict: true });
  } catch (error) {
    throw toRpcError(error);
  }
}
