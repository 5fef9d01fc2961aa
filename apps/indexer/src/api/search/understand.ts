import { db } from "ponder:api";
import type { SearchQuery } from "@app-registry/sdk";
import { sql } from "ponder";
import { z } from "zod";
import { leastsOf, spellings, termQuery, termsOf, typedWords } from "../../search/terms.ts";
import type { Sql } from "../sql.ts";
import { functionWords } from "./functionWords.ts";
import { type Source, sourcesOf } from "./sources.ts";

/** What a search by words looks for. It goes with the cursor, so that every page looks for the same. */
export const understoodSchema = z.object({
  /** The words: without function words, corrected, and known to the index. */
  words: z.array(z.string().regex(/^[\p{L}\p{N}]{1,64}$/u)).max(12),
  /** How many of them a record has to hold. */
  least: z.int().min(1).max(12),
  corrected: z.array(z.object({ from: z.string(), to: z.string() })),
});

export type Understood = z.output<typeof understoodSchema>;

/** Records whose words are looked at for a correction. */
const LOOKED_AT = 200;

/** Words that are corrected in one search: each takes hundreds of looks into the index. */
const CORRECTED = 3;

/** That a record of a source holds the words of a tsquery; undefined without one. */
export const holds = (query: string | undefined, source: Source): Sql | undefined =>
  query === undefined ? undefined : sql`${source.searchVector} @@ ${query}::tsquery`;

/** The words of a text but for function words: these count in an identifier (`both.example`), or when there are no others. */
function contentOf(q: string): string[] {
  const typed = typedWords(q);
  const alone = new Set(
    q.split(/\s+/).flatMap((part) => (typedWords(part).length === 1 ? typedWords(part) : [])),
  );
  const content = typed.filter((word) => !functionWords.has(word) || !alone.has(word));
  return content.length > 0 ? content : typed;
}

/**
 * Tries what a person who typed `q` may look for, until `find` has found enough: all of its words, then fewer of them.
 * Where no record holds all, words that none holds are corrected first.
 *
 * @param find Looks for records, and returns how many there are.
 * @returns What was tried last; undefined when the index holds none of the words.
 */
export async function understand(
  query: SearchQuery,
  q: string,
  find: (understood: Understood) => Promise<number>,
  enough: number,
): Promise<Understood | undefined> {
  const typed = contentOf(q);
  if (typed.length === 0) return undefined;
  const all = { words: typed, least: typed.length, corrected: [] };
  const found = await find(all);
  if (found >= enough) return all;
  const { words, corrected } = found > 0 ? all : await correct(typed, (await sourcesOf(query)).parts);
  const isChanged = corrected.length > 0 || words.length < typed.length;
  let understood: Understood | undefined = isChanged ? undefined : all;
  for (const least of leastsOf(words.length)) {
    if (!isChanged && least === words.length) continue;
    understood = { words, least, corrected };
    if ((await find(understood)) >= enough) break;
  }
  return understood;
}

/**
 * The words with each that no record holds replaced by the word of the index that it probably is: one error away, in the
 * most records. Those that resemble none are left out.
 */
async function correct(
  typed: readonly string[],
  parts: readonly Source[],
): Promise<Pick<Understood, "words" | "corrected">> {
  const held = await countHolding(
    termsOf(typed).map((term) => ({ word: term.text, query: termQuery(term) })),
    parts,
    1,
  );
  const unknown = typed.filter((word) => !held.has(word)).slice(0, CORRECTED);
  const near = unknown.flatMap(spellings).map((word) => ({ word, query: word }));
  // Each spelling is looked up by itself: of a query of hundreds of words PostgreSQL expects so many records that it
  // would read all of them.
  const counts = near.length > 0 ? await countHolding(near, parts, LOOKED_AT) : held;
  const words: string[] = [];
  const corrected: Understood["corrected"] = [];
  for (const word of typed) {
    const candidates =
      held.has(word) || !unknown.includes(word) ? [] : spellings(word).filter((to) => counts.has(to));
    const [to] = candidates.sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1));
    const meant = held.has(word) ? word : to;
    if (meant === undefined || words.includes(meant)) continue;
    words.push(meant);
    if (meant !== word) corrected.push({ from: word, to: meant });
  }
  return { words, corrected };
}

/** How many records of the sources, at most so many of each, hold each tsquery; by its word, those that some hold. */
async function countHolding(
  queries: readonly { word: string; query: string }[],
  parts: readonly Source[],
  most: number,
): Promise<Map<string, number>> {
  // The view is planned as if it were read whole, thus by the index of words, and read as far as the limit.
  const counts = parts.map(
    (source) => sql`(
      with holding as materialized (
        select from ${source.from} where ${source.searchVector} @@ looked_for.query::tsquery and ${source.only ?? sql`true`}
      ) select count(*) from (select from holding limit ${most}::int) as looked_at)`,
  );
  const { rows } = await db.execute<{ word: string; records: number }>(sql`
    select word, records::int from (
      select word, ${sql.join(counts, sql` + `)} as records
      from json_to_recordset(${JSON.stringify(queries)}::json) as looked_for (word text, query text)
    ) as counted where records > 0`);
  return new Map(rows.map(({ word, records }) => [word, records]));
}
