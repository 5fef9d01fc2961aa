import { foldWord } from "@app-registry/sdk/internal";
import { and, sql } from "drizzle-orm";
import { z } from "zod";
import type { Session } from "../session.ts";
import { listSources, matchesQuerySql } from "./filters.ts";
import {
  areCommon,
  buildTermQuery,
  findRarest,
  generateEdits,
  getMinimumMatchSteps,
  isEnglishWord,
  tokenizeQuery,
  toTerms,
} from "./terms.ts";

const interpretationSchema = z.object({
  /** Words of the query that the index contains, after spelling correction and without common words. */
  words: z.array(z.string()),
  /** Number of them that a record must contain, unless it contains one of the rarest. */
  least: z.int(),
  /** Words of highest worth, such as a name. */
  rarest: z.array(z.string()),
  corrected: z.array(z.object({ from: z.string(), to: z.string() })),
});

export type InterpretedQuery = z.output<typeof interpretationSchema> & {
  /** Words of a query that has only common ones. Then `words` is empty. */
  common?: readonly string[];
};

/**
 * Returns the schema of the interpretations of `q`. The cursor contains one, so that every page uses the same. A client
 * can forge it, but only into another that the search itself may try.
 */
export function interpretedQuerySchema(q: string): z.ZodType<InterpretedQuery> {
  const typed = getContentWords(q);
  return interpretationSchema.refine(
    ({ words, least, rarest, corrected }) =>
      areDistinct(words) &&
      areDistinct(rarest) &&
      (words.length === 0 ? least === 1 : getMinimumMatchSteps(words.length).includes(least)) &&
      words.every((word) => typed.includes(word) || corrected.some(({ to }) => to === word)) &&
      rarest.every((word) => words.includes(word)) &&
      corrected.length <= MAX_CORRECTIONS &&
      corrected.every(({ from, to }) => typed.includes(from) && generateEdits(from).includes(to)),
  );
}

const areDistinct = (words: readonly string[]): boolean => new Set(words).size === words.length;

/** Most records to count for a correction. */
const SPELLING_SCAN_LIMIT = 200;

/** Most words to correct in one search. Each needs hundreds of index lookups. */
const MAX_CORRECTIONS = 3;

/** English stop words, from PostgreSQL's list. */
export const functionWords: ReadonlySet<string> = new Set(
  (
    "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its " +
    "itself they them their theirs themselves what which who whom this that these those am is are was were be been being " +
    "have has had having do does did doing a an the and but if or because as until while of at by for with about against " +
    "between into through during before after above below to from up down in out on off over under again further then " +
    "once here there when where why how all any both each few more most other some such no nor not only own same so than " +
    "too very s t can will just don should now"
  ).split(" "),
);

/**
 * Returns the words of a text without function words, unless part of an identifier (`both.example`) or the only words.
 * Omits the verb of a request, such as `find me`.
 */
function getContentWords(q: string): string[] {
  const typed = tokenizeQuery(q);
  const alone = new Set(
    q.split(/\s+/).flatMap((part) => (tokenizeQuery(part).length === 1 ? tokenizeQuery(part) : [])),
  );
  const verbs = new Set(
    Array.from(q.matchAll(/(?<!\p{L})(\p{L}+)\s+me\b/giu), ([, verb = ""]) => foldWord(verb)),
  );
  const content = typed.filter((word) => !verbs.has(word) && (!functionWords.has(word) || !alone.has(word)));
  return content.length > 0 ? content : typed;
}

/**
 * Tries interpretations of `q` until `find` has found enough: first all words, then fewer of them. If no record
 * contains all words, first corrects those that no record contains. Several words that are all common find only records
 * of exactly that name.
 *
 * @param find Searches records and returns their number.
 * @returns The last interpretation, or `undefined` if `q` has no word.
 */
export async function interpretQuery(
  session: Session,
  q: string,
  find: (understood: InterpretedQuery) => Promise<number>,
  enough: number,
): Promise<InterpretedQuery | undefined> {
  const typed = getContentWords(q);
  if (typed.length === 0) return undefined;
  const nothing = { words: [], least: 1, rarest: [], corrected: [] };
  if (/\S\s+\S/.test(q) && (await areCommon(session, typed))) {
    await find(nothing);
    return { ...nothing, common: typed };
  }
  const all = { words: typed, least: typed.length, rarest: await findRarest(session, typed), corrected: [] };
  const found = await find(all);
  if (found >= enough) return all;
  const { words, corrected } = found > 0 ? all : await correctSpelling(session, typed);
  const isSame = corrected.length === 0 && words.length === typed.length;
  if (words.length < typed.length && (await areCommon(session, words))) return { ...nothing, common: words };
  const rarest = isSame ? all.rarest : await findRarest(session, words);
  let understood: InterpretedQuery | undefined = isSame ? all : undefined;
  for (const least of getMinimumMatchSteps(words.length).slice(isSame ? 1 : 0)) {
    understood = { words, least, rarest, corrected };
    if ((await find(understood)) >= enough) break;
  }
  return understood;
}

/**
 * Replaces each word that no record contains by the most frequent word of the index that is one typing error away,
 * unless it is an English word. Omits words without such a match.
 */
async function correctSpelling(
  session: Session,
  typed: readonly string[],
): Promise<Pick<InterpretedQuery, "words" | "corrected">> {
  const held = await findMostFrequent(
    session,
    toTerms(typed).map((term) => ({ from: term.text, to: term.text, query: buildTermQuery(term) })),
  );
  const unknown = typed.filter((word) => !held.has(word) && !isEnglishWord(word)).slice(0, MAX_CORRECTIONS);
  // Look up each spelling separately: for one query of hundreds of words, PostgreSQL would expect so many matches that
  // it reads all records.
  const near = await findMostFrequent(
    session,
    unknown.flatMap((from) => generateEdits(from).map((to) => ({ from, to, query: to }))),
  );
  return {
    words: [...new Set(typed.flatMap((word) => (held.get(word) ?? near.get(word))?.to ?? []))],
    corrected: unknown.flatMap((word) => near.get(word) ?? []),
  };
}

/** Returns the most frequent tsquery of each word, with its spelling. */
async function findMostFrequent(
  session: Session,
  queries: readonly { from: string; to: string; query: string }[],
) {
  // `materialized` makes PostgreSQL use the index of words, and it stops reading at the limit.
  const counts = listSources(session, { q: "" }).map(
    (source) => sql`(
      with holding as materialized (
        select from ${source.from} where ${and(matchesQuerySql(sql`looked_for.query`, source), source.where)}
      ) select count(*) from (select from holding limit ${SPELLING_SCAN_LIMIT}::int) as looked_at)`,
  );
  const { rows } = await session.db.execute<{ from: string; to: string }>(sql`
    select distinct on ("from") "from", "to" from (
      select "from", "to", ${sql.join(counts, sql` + `)} as records
      from json_to_recordset(${JSON.stringify(queries)}::json) as looked_for ("from" text, "to" text, query text)
    ) as counted where records > 0 order by "from", records desc, "to" collate "C"`);
  return new Map(rows.map((row) => [row.from, row]));
}
