import type { Hex } from "viem";

/** What a node is asked for ahead of the handlers. */
export type ReadAheadSource = {
  /** The chain's last block. */
  blockNumber(): Promise<number>;
  /** The pointers that the `MetadataSet` events of these blocks name, both blocks included, oldest first. */
  listPointers(fromBlock: number, toBlock: number): Promise<Hex[]>;
  /** The code of a contract; undefined when there is none. */
  getCode(pointer: Hex): Promise<Hex | undefined>;
};

/** The codes of pointers, asked for before the handler of their event runs. */
export type ReadAhead = {
  /**
   * The code of the pointer that an event of `block` names, or undefined when it was not read ahead: because the block
   * is not old enough, or the node did not answer. Never fails. What is given may be out of date: hold it to its hash.
   * Pointers are lower-case.
   */
  take(pointer: Hex, block: number): Promise<Hex | undefined>;
};

/** Blocks behind the last one that the handlers may be in and still be following the chain. */
export const RECENT_BLOCKS = 30;

/** Codes that are asked for or kept at once; each has at most 24 KiB. */
export const MAX_BUFFERED = 200;

/** Requests for code under way: at first, and once the node has answered as many as fast as they came. */
export const INITIAL_REQUESTS = 4;
export const MAX_REQUESTS = 25;

/** Milliseconds for which a request that failed keeps its place. */
const RETRY_DELAY_MS = 1_000;

/** Blocks whose events are asked for at once: at first, and where few are found. A refused number is halved for good. */
const INITIAL_BLOCK_RANGE = 500;
const MAX_BLOCK_RANGE = 10_000;

/**
 * Reads the documents of the past ahead of the handlers, which come one by one: without it each of them would wait for
 * an answer of the node. Requests begin few and double with each round of answers; a failure (a rate limit, a timeout)
 * halves them, and from then on they grow by one a round. Once the handlers follow the chain, nothing is read ahead any more.
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

  /** Learns the pointers of the next blocks; false when the node does not tell them. */
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
    if (nextBlock !== from) return true; // other blocks are wanted by now
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

  /** Whether the handlers are at an old block. When not, they follow the chain from now on. */
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
      // The first one, the first after a stretch without any, or one of earlier blocks that are indexed again.
      asked.clear();
      known = [];
      nextBlock = block;
      await listing; // what it finds is no longer wanted
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
