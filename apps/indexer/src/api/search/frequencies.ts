import { db } from "ponder:api";
import { sql } from "ponder";
import { z } from "zod";
import type { SearchWord } from "../../search/searchVector.ts";

/** How frequent words and traits are among the records, as PostgreSQL's statistics have it: shares from 0 to 1. */
export type Frequencies = {
  /** The number of records, about. */
  records: number;
  /** Of records that hold every one of the words, or the beginning of it. */
  ofWords: (vector: Vector, words: readonly SearchWord[]) => number;
  /** Of the words of a search, one by one, added up: how much an index has to give to join them. */
  ofEachWord: (vector: Vector, words: readonly SearchWord[]) => number;
  /** Of records that carry every one of the trait hashes. */
  ofTraits: (hashes: readonly string[]) => number;
};

/** The columns of words that have statistics. */
export type Vector = "head_vector" | "search_vector";

type Column = Vector | "trait_hashes";

const rowSchema = z.object({
  attname: z.string(),
  elements: z.array(z.string()),
  frequencies: z.array(z.number()),
});

/** The most frequent elements of a column; every other one is rarer than the rarest of these. */
type Elements = { shares: ReadonlyMap<string, number>; other: number };

const none: Elements = { shares: new Map(), other: 0 };

/** Bytes of a row, about. */
const ROW = 1_500;

async function readFrequencies(): Promise<Frequencies> {
  const [sizes, statistics] = await Promise.all([
    db.execute<{ records: number }>(sql`
      select case when reltuples > 0 then reltuples else pg_relation_size(oid) / ${ROW}::int end::float8 as records
      from pg_class where relname = 'app' and relnamespace = current_schema()::regnamespace`),
    db.execute(sql`
      select attname::text, most_common_elems::text::text[] as elements, most_common_elem_freqs as frequencies
      from pg_stats
      where schemaname = current_schema() and tablename = 'app' and most_common_elems is not null`),
  ]);
  const columns = new Map(
    statistics.rows.map((row) => {
      const { attname, elements, frequencies } = rowSchema.parse(row);
      // Behind the frequencies of the elements stand the lowest and the highest of them.
      const shares = new Map(elements.map((element, index) => [element, frequencies[index] ?? 0]));
      return [attname, { shares, other: (frequencies[elements.length] ?? 0) / 2 }];
    }),
  );
  const of = (column: Column) => columns.get(column) ?? none;
  return { records: sizes.rows[0]?.records ?? 0, ...sharesOf(of) };
}

/** Elements are taken to occur independently of each other, as PostgreSQL does too. */
function sharesOf(of: (column: Column) => Elements): Omit<Frequencies, "records"> {
  const shareOf = (vector: Vector, { text }: SearchWord) => {
    const { shares, other } = of(vector);
    let sum = 0;
    for (const [word, share] of shares) if (word.startsWith(text)) sum += share;
    return Math.min(1, sum || other);
  };
  const product = (shares: readonly number[]) => shares.reduce((all, share) => all * share, 1);
  return {
    ofWords: (vector, words) => product(words.map((word) => shareOf(vector, word))),
    ofEachWord: (vector, words) => words.reduce((all, word) => all + shareOf(vector, word), 0),
    ofTraits: (hashes) => {
      const { shares, other } = of("trait_hashes");
      return product(hashes.map((hash) => shares.get(hash) ?? other));
    },
  };
}

/** Milliseconds that statistics are kept. They decide how a search goes about it, not what it finds. */
const KEPT = 60_000;

let kept: { at: number; frequencies: Promise<Frequencies> } | undefined;

/** The frequencies, at most a minute old. */
export function frequencies(): Promise<Frequencies> {
  const now = performance.now();
  if (kept === undefined || now - kept.at > KEPT) {
    const asked = { at: now, frequencies: readFrequencies() };
    asked.frequencies.catch(() => {
      if (kept === asked) kept = undefined;
    });
    kept = asked;
  }
  return kept.frequencies;
}
