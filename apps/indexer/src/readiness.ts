/**
 * SQL for how far the index is: `ready`, the live block `number` and its `hash`, and the block `final` that Ponder takes
 * for final. The tables are complete up to `number` when `ready` is true, and up to `final` when it is not.
 *
 * While the index is built, the tables hold the events of old blocks only. The `Head` handler runs from the block on that
 * was the last when the indexer started. Its row is missing, or has fallen back to a final block, until every block
 * before is there. Ponder's `/status` is no such block: after a restart it still names the block that was reached
 * before, while the rows of blocks that were not final yet are indexed again. See docs/decisions/0008-indexer-readiness.md.
 *
 * @param schema The schema that Ponder indexes into, as an SQL identifier.
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

/** The row of `readinessSql`; without one, nothing is indexed. */
export type Readiness = { number: number | null; hash: string | null; final: number; ready: boolean };
