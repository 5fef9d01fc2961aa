import { db } from "ponder:api";
import { head } from "ponder:schema";
import { sql } from "ponder";
import type { Hex } from "viem";

/** How far the index is. */
export type IndexState =
  /**
   * The tables hold every event up to `block`, whose hash is `hash`, and `block` was the chain's last after the indexer
   * had started.
   */
  | { isReady: true; block: number; hash: Hex }
  /** The tables hold the events up to `block` and no later ones; undefined before the first. */
  | { isReady: false; block: number | undefined };

/** Milliseconds for which requests that come at once share one look. */
const SHARED = 50;

let shared: { at: number; state: Promise<IndexState> } | undefined;

/** How far the index is. Ask before reading the rows that it goes with: they are then at least as new. */
export function indexState(): Promise<IndexState> {
  const now = performance.now();
  if (shared === undefined || now - shared.at > SHARED) shared = { at: now, state: readIndexState() };
  return shared.state;
}

/**
 * While it is built, the tables hold the events of old blocks only; a page of them would look like a whole one.
 * The `Head` handler runs from the block on that was the last when the indexer started, so its row is missing, or
 * has fallen back to a final block, until every block before is there.
 *
 * Ponder's own `latest_checkpoint` (and `/status`) is no such block: after a restart it still names the block that was
 * reached before, while the rows of blocks that were not final yet are indexed again.
 */
async function readIndexState(): Promise<IndexState> {
  // A checkpoint is 10 digits of timestamp, 16 of chain id, 16 of block number, and the place in the block.
  const { rows } = await db.execute(sql`
    select
      substr(finalized_checkpoint, 27, 16)::float8 as final,
      live.number::float8 as live, live.hash,
      (select (value ->> 'is_ready')::int = 1 from _ponder_meta where key = 'app') as backfilled
    from _ponder_checkpoint left join ${head} live on true`);
  const { final, live, hash, backfilled } = rows[0] ?? {};
  if (typeof final !== "number") return { block: undefined, isReady: false };
  if (backfilled !== true || typeof live !== "number" || live <= final) {
    return { block: final, isReady: false };
  }
  return { block: live, hash: hash as Hex, isReady: true };
}
