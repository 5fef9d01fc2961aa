import { db } from "ponder:api";
import { sql } from "ponder";

/**
 * The block up to which the index has seen every event; undefined before the first one. Read it before the rows
 * that it goes with: they are then at least as new.
 */
export async function indexedBlock(): Promise<number | undefined> {
  // A checkpoint is 10 digits of timestamp, 16 of chain id, 16 of block number, and the place in the block.
  const { rows } = await db.execute(
    sql`select substr(latest_checkpoint, 27, 16)::bigint::float8 as block from _ponder_checkpoint`,
  );
  const block = rows[0]?.block;
  return typeof block === "number" ? block : undefined;
}
