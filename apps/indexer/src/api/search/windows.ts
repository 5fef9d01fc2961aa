import { db } from "ponder:api";
import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { sql } from "ponder";
import { z } from "zod";
import type { Sql } from "../sql.ts";
import { tokenIdSchema } from "./cursor.ts";
import type { MetRecord } from "./found.ts";
import type { Frequencies, Vector } from "./frequencies.ts";
import { COST, shareOfRecords } from "./lookup.ts";
import { allMatches, type Matches, matching, newestMatches } from "./newestMatches.ts";
import { recordState } from "./recordState.ts";
import type { Source } from "./sources.ts";
import { rankOf, type TextMatch, textMatch, type Word } from "./textMatch.ts";

/**
 * Records of each window that are ranked. To rank every record that holds a common word would take time in
 * proportion to the registry.
 */
const WINDOW = 100;

/** What the first page found; later pages use it, so that they see the same windows while records arrive. */
export const windowsSchema = z.object({
  /** The highest token id of the search: what is minted later is not of it. */
  top: tokenIdSchema,
  /**
   * The lowest token id of each window: of records whose name is the text, of those that hold its words outside their
   * prose, and of all that hold them. 0 when it holds every match, above `top` when it was not opened.
   */
  from: z.tuple([tokenIdSchema, tokenIdSchema, tokenIdSchema]),
  /** The words, by their place, of which the windows hold whole occurrences alone. */
  whole: z.array(z.int()),
});

export type Windows = z.output<typeof windowsSchema>;

/** A search by text: its words, where it looks for them, and how frequent they are. */
export type TextSearch = {
  query: SearchQuery;
  q: string;
  words: readonly Word[];
  sources: readonly Source[];
  known: Frequencies;
};

/** A source, and how a record of it may hold words. */
export type Part = { source: Source; match: TextMatch };

/** How a record of each source may hold the words. */
export const partsOf = ({ q, sources }: TextSearch, words: readonly Word[]): Part[] =>
  sources.map((source) => ({ source, match: textMatch(q, words, source) }));

/** The words as the windows hold them. */
export const wordsIn = ({ whole }: Pick<Windows, "whole">, words: readonly Word[]): Word[] =>
  words.map((word, index) => ({ ...word, whole: whole.includes(index) }));

/** A record that was met, with its rank; null for one outside the windows. */
export type Ranked = MetRecord & { rank: number | null };

/** What opening the windows finds. */
export type Opened = {
  found: Ranked[];
  windows: Windows;
  /** Whether nothing else matches. */
  isAll: boolean;
};

/** The highest token id, out of the view `newest`. */
const NEWEST = "(select id from newest)";

/**
 * Opens the windows, and finds the first matches by relevance.
 *
 * One word is ranked by where it stands outside a record's prose; records that hold it in their prose alone are all
 * alike. Of several words some may stand here and some there, so unless enough records hold them all outside their
 * prose, a window of all matches is opened too.
 *
 * An index gives the whole occurrences of a word among the newest records alone, but every record with a word that begins
 * with it. Where these are few beside the whole ones, and to look for them would take long, they come behind the windows.
 */
export async function openWindows(search: TextSearch, limit: number): Promise<Opened> {
  const { opening, whole } = openingOf(search, limit);
  const { views, isOpened, behind, readsEveryMatch } = opening;
  const from = (window: string) =>
    sql`(select case when count(*) < ${WINDOW}::int then 0 else min(token_id) end from ${sql.raw(window)})`;
  const newest = sql.raw(NEWEST);
  const { rows } = await db.execute<(Ranked | { tokenId: null }) & Windows>(sql`
    with newest as materialized (select max(${app.tokenId}) as id from ${app}), ${views},
    ranked as materialized (
      select distinct token_id, ${rankOf(search.q)} as rank
      from (select * from as_name union all select * from in_head union all select * from anywhere) as windows),
    found as (
      select token_id, rank from ranked ${behind} order by rank desc nulls last, token_id desc limit ${limit}::int)
    select bounds.*, record.*
    from (select ${newest}::text as top, array[${from("as_name")}, ${from("in_head")},
      case when ${isOpened} then ${from("anywhere")} else ${newest} + 1 end]::text[] as "from") as bounds
    left join (
      select found.token_id::text as "tokenId", rank, ${recordState} as state
      from found join ${app} on ${app.tokenId} = found.token_id
      order by rank desc nulls last, found.token_id desc) as record on true`);
  const { top = "0", from: lowest = ["0", "0", "0"] } = rows[0] ?? {};
  const windows: Windows = { top, from: lowest, whole };
  const found = rows.filter((row) => row.tokenId !== null);
  return { found, windows, isAll: found.length < limit && (readsEveryMatch || holdEveryMatch(windows)) };
}

/** Whether the window of all matches holds each of them. */
export const holdEveryMatch = ({ from, whole }: Windows): boolean => from[2] === "0" && whole.length === 0;

/** A way to open the windows. */
type Opening = {
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
function openingOf(search: TextSearch, limit: number): { opening: Opening; whole: number[] } {
  const { words } = search;
  const [every, newest] = [byEveryMatch(search, limit), byNewest(search, words, limit)];
  const opening = every.cost < newest.cost ? every : newest;
  const whole = words.flatMap((word, index) => (isMostlyWhole(search, word) ? [index] : []));
  if (whole.length === 0 || opening.cost < COST.statement / WORTH) return { opening, whole: [] };
  const newestWhole = byNewest(search, wordsIn({ whole }, words), limit);
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
