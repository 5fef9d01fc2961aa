import { db } from "ponder:api";
import { and, sql } from "ponder";
import { z } from "zod";
import {
  buildTermQuery,
  generateEdits,
  getMinimumMatchSteps,
  tokenizeQuery,
  toTerms,
} from "../../search/terms.ts";
import { functionWords } from "./functionWords.ts";
import { listSources, matchesQuerySql } from "./sources.ts";

/** What a search by words looks for. It goes with the cursor, so that every page looks for the same. */
export const interpretedQuerySchema = z.object({
  /** The words: without function words, corrected, and known to the index. */
  words: z.array(z.string().regex(/^[\p{L}\p{N}]{1,64}$/u)).max(12),
  /** How many of them a record has to hold. */
  least: z.int().min(1).max(12),
  corrected: z.array(z.object({ from: z.string(), to: z.string() })),
});

export type InterpretedQuery = z.output<typeof interpretedQuerySchema>;

/** Records whose words are looked at for a correction. */
const SPELLING_SCAN_LIMIT = 200;

/** Words that are corrected in one search: each takes hundreds of looks into the index. */
const MAX_CORRECTIONS = 3;

/** The words of a text but for function words: these count in an identifier (`both.example`), or when there are no others. */
function getContentWords(q: string): string[] {
  const typed = tokenizeQuery(q);
  const alone = new Set(
    q.split(/\s+/).flatMap((part) => (tokenizeQuery(part).length === 1 ? tokenizeQuery(part) : [])),
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
export async function interpretQuery(
  q: string,
  find: (understood: InterpretedQuery) => Promise<number>,
  enough: number,
): Promise<InterpretedQuery | undefined> {
  const typed = getContentWords(q);
  if (typed.length === 0) return undefined;
  const all = { words: typed, least: typed.length, corrected: [] };
  const found = await find(all);
  if (found >= enough) return all;
  const { words, corrected } = found > 0 ? all : await correctSpelling(typed);
  const isSame = corrected.length === 0 && words.length === typed.length;
  let understood: InterpretedQuery | undefined = isSame ? all : undefined;
  for (const least of getMinimumMatchSteps(words.length).slice(isSame ? 1 : 0)) {
    understood = { words, least, corrected };
    if ((await find(understood)) >= enough) break;
  }
  return understood;
}

/**
 * The words with each that no record holds replaced by the word of the index that it probably is: one error away, in the
 * most records. Those that resemble none are left out.
 */
async function correctSpelling(
  typed: readonly string[],
): Promise<Pick<InterpretedQuery, "words" | "corrected">> {
  const held = await findMostFrequent(
    toTerms(typed).map((term) => ({ from: term.text, to: term.text, query: buildTermQuery(term) })),
  );
  const unknown = typed.filter((word) => !held.has(word)).slice(0, MAX_CORRECTIONS);
  // Each spelling is looked up by itself: of a query of hundreds of words PostgreSQL expects so many records that it
  // would read all of them.
  const near = await findMostFrequent(
    unknown.flatMap((from) => generateEdits(from).map((to) => ({ from, to, query: to }))),
  );
  return {
    words: [...new Set(typed.flatMap((word) => (held.get(word) ?? near.get(word))?.to ?? []))],
    corrected: unknown.flatMap((word) => near.get(word) ?? []),
  };
}

/** Of the tsqueries of each word, the one that most records hold, and what it stands for. */
async function findMostFrequent(queries: readonly { from: string; to: string; query: string }[]) {
  // The view is planned as if it were read whole, thus by the index of words, and read as far as the limit.
  const counts = (await listSources({ q: "" })).map(
    (source) => sql`(
      with holding as materialized (
        select from ${source.from} where ${and(matchesQuerySql(sql`looked_for.query`, source), source.where)}
      ) select count(*) from (select from holding limit ${SPELLING_SCAN_LIMIT}::int) as looked_at)`,
  );
  const { rows } = await db.execute<{ from: string; to: string }>(sql`
    select distinct on ("from") "from", "to" from (
      select "from", "to", ${sql.join(counts, sql` + `)} as records
      from json_to_recordset(${JSON.stringify(queries)}::json) as looked_for ("from" text, "to" text, query text)
    ) as counted where records > 0 order by "from", records desc, "to" collate "C"`);
  return new Map(rows.map((row) => [row.from, row]));
}
