import { db } from "ponder:api";
import { head } from "ponder:schema";
import { getTableConfig } from "drizzle-orm/pg-core";
import { sql } from "ponder";
import type { Hex } from "viem";
import { type Readiness, readinessSql } from "../readiness.ts";
import { getChainHead } from "./getChainHead.ts";

/** How far the index is. */
export type IndexState =
  /**
   * The tables hold every event up to `block`, and they once held all of the chain. `hash` is the block's; null while an
   * indexer that was started again catches up. `lag` counts the chain's blocks behind it; null while the node is away.
   */
  | { isReady: true; block: number; hash: Hex | null; lag: number | null }
  /** The tables hold the events up to `block` and no later ones, and never held more; undefined before the first. */
  | { isReady: false; block: number | undefined };

/** How often an answer is read again because a block came meanwhile; on a fast chain one may come every time. */
const MAX_ATTEMPTS = 5;

/** PostgreSQL's code for a lock that was waited for in vain. A reorganisation, or a writer's start, locks the tables. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Milliseconds for which a reader tries; Ponder's sessions wait half a second for a lock. */
const LOCK_TIMEOUT_MS = 30_000;

/** Reads again while the writer has locked what is read. */
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
 * Reads rows at one block: again when a block came, or the chain fell back, while they were read. When one came each
 * time, the rows are of the named block or of later ones. An embedded database also shows what it is still changing.
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

/** Milliseconds for which a look is taken for what stands before an answer: whether it still held is seen after it. */
const STATE_TTL_MS = 50;

let last: { at: number; state: Promise<IndexState> } | undefined;
let next: Promise<IndexState> | undefined;

/** How far the index is, as it was a moment ago at most. */
export const indexState = (): Promise<IndexState> =>
  last && performance.now() - last.at <= STATE_TTL_MS ? last.state : refreshIndexState();

/** Looks from now on. While a look is under way, all that come share the one after it. */
function refreshIndexState(): Promise<IndexState> {
  next ??= (async () => {
    await last?.state.catch(() => undefined);
    next = undefined;
    last = { at: performance.now(), state: readIndexState() };
    return last.state;
  })();
  return next;
}

async function readIndexState(): Promise<IndexState> {
  const { schema = "public" } = getTableConfig(head);
  const [{ rows }, last] = await Promise.all([
    retryWhileLocked(async () => db.execute<Readiness>(sql.raw(readinessSql(`"${schema}"`)))),
    getChainHead(),
  ]);
  const [row] = rows;
  // Only an index that was complete has the number of a live block; it falls back when the writer starts again.
  if (!row || row.number === null) return { isReady: false, block: row?.final };
  const block = row.ready ? row.number : row.final;
  const hash = row.ready ? (row.hash as Hex) : null;
  return { isReady: true, block, hash, lag: last === null ? null : Math.max(0, last - block) };
}
