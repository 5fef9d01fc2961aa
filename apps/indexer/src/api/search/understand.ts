import { db } from "ponder:api";
import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { LRUCache } from "lru-cache";
import { sql } from "ponder";
import { atLeast, leastsOf, spellings, termQuery, termsOf, typedWords } from "../../search/terms.ts";
import type { Sql } from "../sql.ts";
import { fromEach, type Source, sourcesOf } from "./sources.ts";
import type { Understood } from "./understood.ts";
import { isCommon } from "./worth.ts";

/** Records whose words are looked at for a correction. */
const LOOKED_AT = 200;

/** That a record of a source holds the words of a tsquery; undefined without one. */
export const holds = (query: string | undefined, source: Source): Sql | undefined =>
  query === undefined ? undefined : sql`${source.searchVector} @@ ${query}::tsquery`;

/** The tsquery of every record that a search by words finds. */
export const queryOf = ({ words, least }: Understood): string => atLeast(termsOf(words), least);

/**
 * What a person who typed `q` may look for: all of its words, then fewer of them, each with what was corrected. Nothing
 * when no record holds any.
 */
export async function understand(query: SearchQuery, q: string): Promise<Understood[]> {
  const { parts } = await sourcesOf(query);
  const typed = await lookUp(typedWords(q), parts);
  const sentence = q.split(/\s+/).map(typedWords);
  // In an identifier every word counts: `both.example`.
  const isAlone = (word: string) => sentence.some((part) => part.length === 1 && part[0] === word);
  const content = typed.filter(({ word, isFunction }) => !isFunction || !isAlone(word));
  const words: string[] = [];
  const corrected: Understood["corrected"] = [];
  for (const { word, isKnown } of content.length > 0 ? content : typed) {
    const to = isKnown ? word : await correct(word, parts);
    if (to === undefined || words.includes(to)) continue;
    words.push(to);
    if (to !== word) corrected.push({ from: word, to });
  }
  return leastsOf(words.length).map((least) => ({ words, least, corrected }));
}

type LookedUp = { word: string; isFunction: boolean; isKnown: boolean };

/** The function words among those that were looked up. */
const functionWords = new LRUCache<string, boolean>({ max: 10_000 });

/** Which of the words say nothing by themselves (PostgreSQL's own list), and which the index holds. */
async function lookUp(words: readonly string[], parts: readonly Source[]): Promise<LookedUp[]> {
  const found = new Map<string, LookedUp>();
  const unknown: Sql[] = [];
  for (const term of termsOf(words)) {
    const word = term.text;
    const isFunction = functionWords.get(word);
    const isKnown = await isCommon(term, ["anywhere"]);
    if (isFunction !== undefined && isKnown) found.set(word, { word, isFunction, isKnown });
    else
      unknown.push(sql`select ${word}::text as word, ts_lexize('english_stem', ${word}) = '{}' as "isFunction",
      ${isKnown ? sql`true` : isHeld(termQuery(term), parts)} as "isKnown"`);
  }
  if (unknown.length > 0) {
    for (const row of (await db.execute<LookedUp>(sql.join(unknown, sql` union all `))).rows) {
      functionWords.set(row.word, row.isFunction);
      found.set(row.word, row);
    }
  }
  return words.flatMap((word) => found.get(word) ?? []);
}

/**
 * That a record of the sources holds the words of a tsquery. The view is planned as if it were read whole, thus by the
 * index of words, and read as far as its first row.
 */
function isHeld(words: string, parts: readonly Source[]): Sql {
  const holding = fromEach(
    parts,
    (source) => sql`select ${app.tokenId} from ${source.from} where ${holds(words, source)}`,
    sql``,
  );
  return sql`exists (with holding as materialized (${holding}) select from holding)`;
}

/**
 * The word of the index that a misspelt one probably is: one error away, in the most records. Each spelling is looked up
 * by itself: of a query of hundreds of words PostgreSQL expects so many records that it would read all of them.
 */
async function correct(word: string, parts: readonly Source[]): Promise<string | undefined> {
  const near = spellings(word);
  if (near.length === 0) return undefined;
  const counts = parts.map(
    (source) => sql`(
      with holding as materialized (
        select from ${source.from} where ${source.searchVector} @@ near.word::tsquery and ${source.only ?? sql`true`}
      ) select count(*) from (select from holding limit ${LOOKED_AT}::int) as looked_at)`,
  );
  const { rows } = await db.execute<{ word: string }>(sql`
    select word from (
      select near.word, ${sql.join(counts, sql` + `)} as records
      from unnest(string_to_array(${near.join(" ")}, ' ')) as near (word)
    ) as counted
    where records > 0 order by records desc, word limit 1`);
  return rows[0]?.word;
}
