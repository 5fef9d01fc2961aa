import { db } from "ponder:api";
import { app } from "ponder:schema";
import { getTableConfig } from "drizzle-orm/pg-core";
import { sql } from "ponder";
import { z } from "zod";
import type { Vector } from "./sources.ts";
import type { Word } from "./textMatch.ts";

/** Records that are looked at. */
const SIZE = 2_000;

const rowSchema = z.object({ size: z.number(), words: z.array(z.string()), counts: z.array(z.number()) });

/** Qualified: on PGlite a bare name can be a temporary table that Ponder left behind (see `sqlDatabase`). */
const tableName = ({ schema, name }: { schema: string | undefined; name: string }) =>
  schema === undefined ? `"${name}"` : `"${schema}"."${name}"`;

/** The share of records that hold a word, or one that begins with it. */
export type ShareOf = (word: Word) => number;

/**
 * How frequent the words of a column are, by a random sample of about 2,000 of `records` records. PostgreSQL's own
 * statistics know a thousand words, where a registry has tens of thousands, and nothing of their beginnings.
 */
export async function sampleWords(column: Vector, records: number): Promise<ShareOf> {
  const percent = Math.min(100, (100 * SIZE) / Math.max(1, records));
  const from = `from ${tableName(getTableConfig(app))} tablesample system (${percent}) repeatable (1)`;
  const { rows } = await db.execute(sql`
    select (select count(*)::int ${sql.raw(from)}) as size, coalesce(array_agg(word), '{}') as words,
      coalesce(array_agg(ndoc), '{}') as counts
    from ts_stat(${`select ${column} ${from}`})`);
  const { size, words, counts } = rowSchema.parse(rows[0]);
  const sorted = words.map((word, index) => ({ word, count: counts[index] ?? 0 }));
  sorted.sort((a, b) => (a.word < b.word ? -1 : 1));
  return ({ text, whole }) => {
    let sum = 0;
    for (let place = placeOf(sorted, text); sorted[place]?.word.startsWith(text); place++) {
      if (!whole || sorted[place]?.word === text) sum += sorted[place]?.count ?? 0;
    }
    // A word that the sample does not hold is rarer than one record of it.
    return Math.min(1, Math.max(sum, 0.5) / Math.max(1, size));
  };
}

/** Where the words begin that do not stand before `beginning`. */
function placeOf(sorted: readonly { word: string }[], beginning: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.word ?? "") < beginning) low = middle + 1;
    else high = middle;
  }
  return low;
}
