import { db } from "ponder:api";
import { head } from "ponder:schema";
import { getTableConfig } from "drizzle-orm/pg-core";
import { sql } from "ponder";
import type { Hex } from "viem";
import { type Readiness, readinessSql } from "../readiness.ts";
import { chainHead } from "./chainHead.ts";

/** How far the index is. */
export type IndexState =
  /**
   * The tables hold every event up to `block`, and they once held all of the chain. `hash` is the block's; null while an
   * indexer that was started again catches up. `lag` counts the chain's blocks behind it; null while the node is away.
   */
  | { isReady: true; block: number; hash: Hex | null; lag: number | null }
  /** The tables hold the events up to `block` and no later ones, and never held more; undefined before the first. */
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

async function readIndexState(): Promise<IndexState> {
  const { schema = "public" } = getTableConfig(head);
  const [{ rows }, last] = await Promise.all([
    db.execute<Readiness>(sql.raw(readinessSql(`"${schema}"`))),
    chainHead(),
  ]);
  const [row] = rows;
  // Only an index that was complete has the number of a live block; it falls back when the writer starts again.
  if (!row || row.number === null) return { isReady: false, block: row?.final };
  const block = row.ready ? row.number : row.final;
  const hash = row.ready ? (row.hash as Hex) : null;
  return { isReady: true, block, hash, lag: last === null ? null : Math.max(0, last - block) };
}
