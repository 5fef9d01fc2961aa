import { db } from "ponder:api";
import { head } from "ponder:schema";
import { sql } from "ponder";

/**
 * The block up to which the tables hold every event; undefined before the first one. Read it before the rows that it
 * goes with: they are then at least as new.
 *
 * Ponder's own `latest_checkpoint` (and `/status`) is not it: after a restart it still names the block that was
 * reached before, while the rows of blocks that were not final yet are indexed again.
 */
export async function indexedBlock(): Promise<number | undefined> {
  // A checkpoint is 10 digits of timestamp, 16 of chain id, 16 of block number, and the place in the block.
  const { rows } = await db.execute(sql`
    select greatest(substr(finalized_checkpoint, 27, 16)::bigint, (select max(${head.number}) from ${head}))::float8
      as block
    from _ponder_checkpoint`);
  const block = rows[0]?.block;
  return typeof block === "number" ? block : undefined;
}
