import { head } from "ponder:schema";
import { getTableConfig } from "drizzle-orm/pg-core";
import { sql } from "ponder";
import type { Hex } from "viem";
import { type Readiness, readinessSql } from "../readiness.ts";
import { getChainHead } from "./getChainHead.ts";
import { prepareRows } from "./sql.ts";

/** Progress of the index. */
export type IndexState =
  /**
   * The tables hold every event up to `block`, and have been complete before. `hash` is the block's hash, or null while
   * a restarted indexer catches up. `lag` counts later blocks of the chain, or is null while the RPC is unavailable.
   */
  | { isReady: true; block: number; hash: Hex | null; lag: number | null }
  /** The tables hold the events up to `block` and have never been complete. `undefined` before the first block. */
  | { isReady: false; block: number | undefined };

/** Most attempts to read at one block. On a fast chain, every attempt may meet a new block. */
const MAX_ATTEMPTS = 5;

/** PostgreSQL's code for a lock timeout. Ponder locks the tables for a reorganisation and when the writer starts. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Time to retry a locked read, in milliseconds. Each attempt in Ponder's sessions waits half a second. */
const LOCK_TIMEOUT_MS = 30_000;

/** Retries a read while the writer has locked the tables. */
async function retryWhileLocked<Value>(read: () => Promise<Value>): Promise<Value> {
  const start = performance.now();
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (getCode(error) !== LOCK_NOT_AVAILABLE || performance.now() - start > LOCK_TIMEOUT_MS) throw error;
    }
  }
}

/**
 * Reads rows at one block. Reads again if the block changes during the read. If it changes in every attempt, the rows
 * may be newer than the named block.
 */
export async function readAtOneBlock<Answer extends object>(
  read: (state: IndexState) => Promise<Answer>,
): Promise<Answer> {
  let state = await indexState();
  for (let tries = 1; ; tries++) {
    const answer = await retryWhileLocked(() => read(state));
    const after = await refreshIndexState();
    if (tries === MAX_ATTEMPTS || isSame(state, after)) return answer;
    state = after;
  }
}

const isSame = (one: IndexState, other: IndexState) =>
  one.block === other.block && getHash(one) === getHash(other);

const getHash = (state: IndexState) => (state.isReady ? state.hash : undefined);

const getCode = (error: unknown): unknown => {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return code ?? (cause === undefined ? undefined : getCode(cause));
};

/** Time to reuse a state, in milliseconds. `readAtOneBlock` checks afterwards that it still applied. */
const STATE_TTL_MS = 50;

let last: { at: number; state: Promise<IndexState> } | undefined;
let next: Promise<IndexState> | undefined;

/** Returns the progress of the index, at most `STATE_TTL_MS` old. */
export const indexState = (): Promise<IndexState> =>
  last && performance.now() - last.at <= STATE_TTL_MS ? last.state : refreshIndexState();

/** Reads a state that is not older than the call. Calls during a read share the next read. */
function refreshIndexState(): Promise<IndexState> {
  next ??= (async () => {
    await last?.state.catch(() => undefined);
    next = undefined;
    last = { at: performance.now(), state: readIndexState() };
    return last.state;
  })();
  return next;
}

const readReadiness = prepareRows<Readiness>(
  sql.raw(readinessSql(`"${getTableConfig(head).schema ?? "public"}"`)),
  "index state",
);

async function readIndexState(): Promise<IndexState> {
  const [[row], last] = await Promise.all([retryWhileLocked(readReadiness), getChainHead()]);
  // Only a complete index has had a live block. Its number is reverted when the writer restarts.
  if (!row || row.number === null) return { isReady: false, block: row?.final };
  const block = row.ready ? row.number : row.final;
  const hash = row.ready ? (row.hash as Hex) : null;
  return { isReady: true, block, hash, lag: last === null ? null : Math.max(0, last - block) };
}
