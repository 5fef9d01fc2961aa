/**
 * Builds the SQL that reads the index's progress: `ready`, the live block `number` with its `hash`, and Ponder's
 * finalized block `final`. The tables are complete up to `number` if `ready` is true, and up to `final` otherwise.
 *
 * While Ponder builds the index, the tables hold the events of old blocks only. The `Head` handler starts at the block
 * that was the latest when the indexer started. Until all earlier blocks are indexed, its row is missing or has been
 * reverted to a final block. Ponder's `/status` can't replace it: after a restart, `/status` names the block reached
 * before the restart, while Ponder indexes non-final blocks again. See docs/decisions/0008-indexer-readiness.md.
 *
 * @param schema Schema that Ponder indexes into, as an SQL identifier.
 */
export const readinessSql = (schema: string) => `
  select number::float8 as number, hash, final,
    coalesce((meta.value ->> 'is_ready')::int = 1 and number > final, false) as ready
  from (
    -- A checkpoint is 10 digits of timestamp, 16 of chain id, 16 of block number, and the place in the block.
    select substr(finalized_checkpoint, 27, 16)::float8 as final from ${schema}._ponder_checkpoint
  ) checkpoint
  left join ${schema}.head on true
  left join ${schema}._ponder_meta meta on meta.key = 'app'`;

/** Row of `readinessSql`. Nothing is indexed if there is no row. */
export type Readiness = { number: number | null; hash: string | null; final: number; ready: boolean };
