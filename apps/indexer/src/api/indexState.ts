import { db } from "ponder:api";
import { head } from "ponder:schema";
import { getTableConfig } from "drizzle-orm/pg-core";
import { sql } from "ponder";
import type { Hex } from "viem";
import { type Readiness, readinessSql } from "../readiness.ts";

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

async function readIndexState(): Promise<IndexState> {
  const { schema = "public" } = getTableConfig(head);
  const { rows } = await db.execute<Readiness>(sql.raw(readinessSql(`"${schema}"`)));
  const [row] = rows;
  return row?.ready
    ? { isReady: true, block: row.number as number, hash: row.hash as Hex }
    : { isReady: false, block: row?.final };
}
