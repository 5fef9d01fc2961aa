import type { Context } from "ponder:registry";
import { trait } from "ponder:schema";
import { getTraitHash } from "@app-registry/index/document/keys";
import { appMetadataAbi } from "@app-registry/sdk/abi";
import {
  type Address,
  createPublicClient,
  type FallbackTransport,
  fallback,
  type Hex,
  type HttpTransport,
  type HttpTransportConfig,
  http,
} from "viem";
import { environment } from "../environment.ts";

/** Creates a transport that tries the chain's RPC endpoints in order. `config` applies to each of them. */
export function createRpcTransport(
  config: HttpTransportConfig = {},
): FallbackTransport<readonly HttpTransport[]> {
  return fallback(
    environment.rpcUrls.map((url) => http(url, config)),
    { retryCount: config.retryCount ?? 3 },
  );
}

/** Saves the strings of trait hashes, so that counts by hash can show them. */
export async function saveTraitLabels(db: Context["db"], labels: readonly string[]): Promise<void> {
  const rows = labels.flatMap((label) => {
    const hash = getTraitHash(label);
    return hash ? [{ hash, label }] : [];
  });
  if (rows.length > 0) await db.insert(trait).values(rows).onConflictDoNothing();
}

export type ReadAheadSource = {
  blockNumber(): Promise<number>;
  /** Lists the pointers of the `MetadataSet` events in these blocks, both included, oldest first. */
  listPointers(fromBlock: number, toBlock: number): Promise<Hex[]>;
  /** Reads the code of a contract. Returns `undefined` if it has no code. */
  getCode(pointer: Hex): Promise<Hex | undefined>;
};

/** Contract codes of pointers, requested before the handler of their event runs. */
export type ReadAhead = {
  /**
   * Returns the code of the pointer in an event of `block`, or `undefined` if the block is too recent or the RPC
   * failed. Never rejects. The code may be outdated, so compare its hash. Pointers are lower-case.
   */
  take(pointer: Hex, block: number): Promise<Hex | undefined>;
};

/** Distance from the latest block, in blocks, within which the handlers follow the chain. */
export const RECENT_BLOCKS = 30;

/** Most codes that are requested or buffered at once. Each has at most 24 KiB. */
export const MAX_BUFFERED = 200;

/** Simultaneous requests for code: at the start, and at most. */
export const INITIAL_REQUESTS = 4;
export const MAX_REQUESTS = 25;

/** Delay before a failed request frees its slot, in milliseconds. */
const RETRY_DELAY_MS = 1_000;

/** Blocks per request for events: at the start, and at most. A refused range is halved permanently. */
const INITIAL_BLOCK_RANGE = 500;
const MAX_BLOCK_RANGE = 10_000;

/**
 * Creates the read-ahead of past documents. Handlers run one by one, and without it each would wait for an RPC
 * response. The number of simultaneous requests doubles with each round of responses. A failure (rate limit, timeout)
 * halves it, and from then on it grows by one per round. The read-ahead stops once the handlers follow the chain.
 */
export function createReadAhead(source: ReadAheadSource): ReadAhead {
  const asked = new Map<Hex, Promise<Hex | undefined>>();
  let known: Hex[] = [];
  let isDone = false;
  let lastOld = -1;
  let nextBlock = 0;
  let range = INITIAL_BLOCK_RANGE;
  let widest = MAX_BLOCK_RANGE;
  let listing: Promise<void> | undefined;
  let underWay = 0;
  let allowed = INITIAL_REQUESTS;
  let hasFailed = false;

  const release = () => {
    underWay--;
    fill();
  };

  async function ask(pointer: Hex): Promise<Hex | undefined> {
    underWay++;
    try {
      const code = await source.getCode(pointer);
      allowed = Math.min(MAX_REQUESTS, allowed + (hasFailed ? 1 / allowed : 1));
      release();
      return code;
    } catch {
      hasFailed = true;
      allowed = Math.max(1, allowed / 2);
      setTimeout(release, RETRY_DELAY_MS).unref();
      return undefined;
    }
  }

  /** Lists the pointers of the next blocks. Returns false if the RPC fails. */
  async function list(): Promise<boolean> {
    const from = nextBlock;
    const to = Math.min(from + range - 1, lastOld);
    const pointers = await source.listPointers(from, to).catch(() => undefined);
    if (pointers === undefined) {
      isDone = range === 1;
      widest = Math.max(1, Math.floor(range / 2));
      range = widest;
      return false;
    }
    if (nextBlock !== from) return true; // discard the result: the requested block range has changed
    known.push(...pointers);
    nextBlock = to + 1;
    if (pointers.length < MAX_BUFFERED) range = Math.min(2 * range, widest);
    if (pointers.length > 10 * MAX_BUFFERED) range = Math.ceil(range / 2);
    return true;
  }

  function fill(): void {
    while (underWay < Math.floor(allowed) && asked.size < MAX_BUFFERED) {
      const pointer = known.shift();
      if (pointer === undefined) break;
      asked.set(pointer, ask(pointer));
    }
    if (isDone || listing || known.length >= MAX_BUFFERED || nextBlock > lastOld) return;
    listing = list().then((isListed) => {
      listing = undefined;
      if (isListed) fill();
    });
  }

  /** Returns true if the handlers are at an old block. Once it returns false, they follow the chain. */
  async function isOld(block: number): Promise<boolean> {
    if (!isDone && block > lastOld) {
      lastOld = await source.blockNumber().then(
        (last) => last - RECENT_BLOCKS,
        () => lastOld,
      );
      isDone = block > lastOld;
    }
    if (isDone) {
      asked.clear();
      known = [];
    }
    return !isDone;
  }

  async function take(pointer: Hex, block: number): Promise<Hex | undefined> {
    if (!(await isOld(block))) return undefined;
    if (!asked.has(pointer) && !known.includes(pointer)) await listing;
    if (!asked.has(pointer) && !known.includes(pointer)) {
      // Restart here for the first pointer, after a gap, and when Ponder indexes earlier blocks again.
      asked.clear();
      known = [];
      nextBlock = block;
      await listing; // its result is for another block range
      fill();
      await listing;
    }
    const position = known.indexOf(pointer);
    if (position >= 0) {
      known.splice(0, position + 1);
      asked.set(pointer, ask(pointer));
    }
    const code = asked.get(pointer);
    asked.delete(pointer);
    fill();
    return code;
  }

  return { take };
}

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
