import { db } from "ponder:api";
import { app } from "ponder:schema";
import { sql } from "ponder";
import { z } from "zod";
import type { Vector } from "./sources.ts";
import type { Word } from "./textMatch.ts";
import { type ShareOf, sampleWords } from "./wordSample.ts";

/** How frequent words, traits and values are among the records: shares from 0 to 1. */
export type Frequencies = {
  /** The number of records, about. */
  records: number;
  /** The highest token id. */
  newest: bigint;
  /** Of records that hold every one of the words. */
  ofWords: (vector: Vector, words: readonly Word[]) => number;
  /** Of records that carry every one of the trait hashes. */
  ofTraits: (hashes: readonly string[]) => number;
  /** Of records with one of the values. */
  ofValues: (column: "status" | "interfaces", values: readonly number[]) => number;
};

type Column = "trait_hashes" | "status" | "interfaces";

const rowSchema = z.object({
  attname: z.string(),
  elements: z.array(z.string()),
  frequencies: z.array(z.number()),
});

/** The most frequent elements or values of a column; every other one is rarer than the rarest of these. */
type Elements = { shares: ReadonlyMap<string, number>; other: number };

const none: Elements = { shares: new Map(), other: 0 };

/** Bytes of a row, about. */
const ROW = 1_500;

async function readSize(): Promise<{ records: number; newest: string }> {
  const { rows } = await db.execute<{ records: number; newest: string }>(sql`
    select case when reltuples > 0 then reltuples else pg_relation_size(oid) / ${ROW}::int end::float8 as records,
      (select coalesce(max(${app.tokenId}), 0)::text from ${app}) as newest
    from pg_class where relname = 'app' and relnamespace = current_schema()::regnamespace`);
  return rows[0] ?? { records: 0, newest: "0" };
}

/** What PostgreSQL's statistics have of a column. */
async function readColumns(): Promise<(column: Column) => Elements> {
  const { rows } = await db.execute(sql`
    select attname::text, coalesce(most_common_elems, most_common_vals)::text::text[] as elements,
      coalesce(most_common_elem_freqs, most_common_freqs) as frequencies
    from pg_stats
    where schemaname = current_schema() and tablename = 'app'
      and attname in ('trait_hashes', 'status', 'interfaces')
      and coalesce(most_common_elem_freqs, most_common_freqs) is not null`);
  const columns = new Map(
    rows.map((row) => {
      const { attname, elements, frequencies } = rowSchema.parse(row);
      // Behind the frequencies of the elements stand the lowest and the highest of them.
      const shares = new Map(elements.map((element, index) => [element, frequencies[index] ?? 0]));
      return [attname, { shares, other: (frequencies[elements.length] ?? 0) / 2 }];
    }),
  );
  return (column) => columns.get(column) ?? none;
}

/** Words and traits are taken to occur independently of each other, as PostgreSQL does too. */
const product = (shares: readonly number[]) => shares.reduce((all, share) => all * share, 1);

/** Milliseconds that a sample of words is kept while the number of records stays about what it was. */
const SAMPLE_KEPT = 3_600_000;

/** By how much, as a share of it, the number of records may change meanwhile. */
const SAMPLE_DRIFT = 0.2;

let sample: { until: number; records: number; shareOf: Record<Vector, ShareOf> } | undefined;

/** The words of a sample, which is kept: while an embedded database takes one, it answers nobody. */
async function wordsOfSample(records: number): Promise<Record<Vector, ShareOf>> {
  const now = performance.now();
  const isGood =
    sample && now < sample.until && Math.abs(records - sample.records) <= SAMPLE_DRIFT * sample.records;
  if (sample === undefined || !isGood) {
    const shareOf = {
      head_vector: await sampleWords("head_vector", records),
      search_vector: await sampleWords("search_vector", records),
    };
    sample = { until: now + SAMPLE_KEPT, records, shareOf };
  }
  return sample.shareOf;
}

async function readFrequencies(): Promise<Frequencies> {
  const [{ records, newest }, of] = await Promise.all([readSize(), readColumns()]);
  const shareOf = await wordsOfSample(records);
  return {
    records,
    newest: BigInt(newest),
    ofWords: (vector, words) => product(words.map(shareOf[vector])),
    ofTraits: (hashes) => {
      const { shares, other } = of("trait_hashes");
      return product(hashes.map((hash) => shares.get(hash) ?? other));
    },
    ofValues: (column, values) =>
      values.reduce((sum, value) => sum + (of(column).shares.get(String(value)) ?? 0), 0),
  };
}

/** Milliseconds that frequencies are kept. They decide how a search goes about it, not what it finds. */
const KEPT = 300_000;

let kept: { until: number; frequencies: Promise<Frequencies> } | undefined;

/** The frequencies, as they were about five minutes ago at most; a search waits for the first ones only. */
export function frequencies(): Promise<Frequencies> {
  const now = performance.now();
  if (kept === undefined) {
    const first = { until: now + KEPT, frequencies: readFrequencies() };
    kept = first;
    first.frequencies.catch(() => {
      if (kept === first) kept = undefined;
    });
  } else if (now > kept.until) {
    kept.until = now + KEPT;
    readFrequencies().then(
      (frequencies) => {
        kept = { until: performance.now() + KEPT, frequencies: Promise.resolve(frequencies) };
      },
      () => undefined, // the old ones serve until the next try
    );
  }
  return kept.frequencies;
}
