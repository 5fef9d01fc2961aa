import { sql } from "ponder";
import type { Sql } from "../sql.ts";
import { COST, shareOfRecords } from "./lookup.ts";
import { allMatches, type Matches, matching, newestMatches } from "./newestMatches.ts";
import type { Vector } from "./sources.ts";
import { textMatch, type Word, wholeWords } from "./textMatch.ts";
import { partsOf, type TextSearch } from "./textSearch.ts";

/**
 * Records of each window that are ranked. To rank every record that holds a common word would take time in
 * proportion to the registry.
 */
export const WINDOW = 100;

/** The highest token id, out of the view `newest`. */
export const NEWEST = "(select id from newest)";

/** A way to open the windows. */
export type Opening = {
  /** Common table expressions: `as_name`, `in_head` and `anywhere`; they may refer to `newest`. */
  views: Sql;
  /** Whether the window of all matches is opened. */
  isOpened: Sql;
  /** A select of the matches outside the windows, to be added. */
  behind: Sql;
  /** Whether these are all of them. */
  readsEveryMatch: boolean;
  /** Microseconds that the first page is expected to take. */
  cost: number;
};

/** Up to this share of the cost of the other ways, the windows are made of whole words. */
const WORTH = 0.7;

/** The way that is expected to be quickest, and the words that it takes whole. */
export function openingOf(search: TextSearch, limit: number): { opening: Opening; whole: number[] } {
  const { words } = search;
  const [every, newest] = [byEveryMatch(search, limit), byNewest(search, words, limit)];
  const opening = every.cost < newest.cost ? every : newest;
  const whole = words.flatMap((word, index) => (isMostlyWhole(search, word) ? [index] : []));
  if (whole.length === 0 || opening.cost < COST.statement / WORTH) return { opening, whole: [] };
  const newestWhole = byNewest(search, wholeWords(words, whole), limit);
  return newestWhole.cost < WORTH * opening.cost ? { opening: newestWhole, whole } : { opening, whole: [] };
}

/** Whether most records that hold a word as a beginning hold it whole. */
const isMostlyWhole = ({ known }: TextSearch, word: Word): boolean =>
  2 * known.ofWords("search_vector", [{ ...word, whole: true }]) > known.ofWords("search_vector", [word]);

const isUnfilled = sql`(select count(*) from in_head) < ${WINDOW}::int`;

const windowOf = (select: Sql) =>
  sql`materialized (select * from (${select}) as matches order by token_id desc limit ${WINDOW}::int)`;

/** How many records hold the words, about. */
const countOf = ({ query, known }: TextSearch, vector: Vector, words: readonly Word[]) =>
  known.records * known.ofWords(vector, words) * shareOfRecords(query, known);

/** The newest matches of each kind are looked for. */
function byNewest(search: TextSearch, words: readonly Word[], limit: number): Opening {
  const { query, known } = search;
  const parts = partsOf(search, words);
  const newestOf = (kind: "inHead" | "anywhere", count: number, only?: Sql) =>
    unionOf(
      parts.map(({ source, match }) =>
        newestMatches(query, source, { match: match[kind], count, newest: NEWEST, only }, known),
      ),
    );
  const asName = sql.join(
    parts.map(({ source, match }) => matching(query, source, match.asName)),
    sql` union all `,
  );
  const inHead = newestOf("inHead", WINDOW);
  const isFilled = countOf(search, "head_vector", words) > (words.length > 1 ? WINDOW : limit);
  if (words.length === 1) {
    const behind = isFilled ? 0 : newestOf("anywhere", limit).cost + COST.statement;
    return {
      views: sql`as_name as ${windowOf(asName)}, in_head as ${windowOf(inHead.select)}, ${unopened}`,
      isOpened: sql`false`,
      behind: sql``,
      readsEveryMatch: false,
      cost: inHead.cost + behind,
    };
  }
  const anywhere = newestOf("anywhere", WINDOW, isUnfilled);
  return {
    views: sql`
      as_name as ${windowOf(asName)}, in_head as ${windowOf(inHead.select)}, anywhere as ${windowOf(anywhere.select)}`,
    isOpened: isUnfilled,
    behind: sql``,
    readsEveryMatch: false,
    cost: inHead.cost + (isFilled ? 0 : anywhere.cost),
  };
}

const unopened = sql`anywhere as (select * from in_head where false)`;

/** Every match is read, and the windows are made of them. */
function byEveryMatch(search: TextSearch, limit: number): Opening {
  const { query, q, words, known } = search;
  const parts = partsOf(search, words);
  const every = unionOf(parts.map(({ source, match }) => allMatches(query, source, match.anywhere, known)));
  const { asName, inHead } = textMatch(q, words, inMatches);
  const where = (condition: Sql) => windowOf(sql`select * from matches where ${condition}`);
  return {
    views: sql`
      matches as materialized (${every.select}), as_name as ${where(asName)}, in_head as ${where(inHead.read)},
      ${words.length > 1 ? sql`anywhere as ${where(isUnfilled)}` : unopened}`,
    isOpened: words.length > 1 ? isUnfilled : sql`false`,
    behind: sql`
      union all (select token_id, null from matches where token_id not in (select token_id from ranked)
        order by token_id desc limit ${limit}::int)`,
    readsEveryMatch: true,
    cost: every.cost + countOf(search, "search_vector", words) * COST.read.head_vector,
  };
}

const headInMatches = { column: sql`head_vector`, indexed: sql`head_vector` };

/** Where the view `matches` has what a source has. */
const inMatches = {
  headVector: headInMatches,
  searchVector: headInMatches,
  sortName: sql<string>`sort_name`,
};

const unionOf = (each: readonly Matches[]): Matches => ({
  select: sql.join(
    each.map(({ select }) => select),
    sql` union all `,
  ),
  cost: each.reduce((sum, { cost }) => sum + cost, 0),
});
