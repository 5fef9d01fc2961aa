import { db } from "ponder:api";
import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { getTableConfig } from "drizzle-orm/pg-core";
import { and, sql } from "ponder";
import { z } from "zod";
import type { SearchWord } from "../../search/searchVector.ts";
import type { Sql } from "../sql.ts";
import { tokenIdSchema } from "./cursor.ts";
import type { MetRecord } from "./found.ts";
import type { Frequencies } from "./frequencies.ts";
import { matching, newestMatches, type Wanted } from "./newestMatches.ts";
import { recordState } from "./recordState.ts";
import type { Source } from "./sources.ts";
import { rankOf, type TextMatch } from "./textMatch.ts";

/**
 * Records of each window that are ranked. To rank every record that holds a common word would take time in
 * proportion to the registry.
 */
const WINDOW = 100;

/** What the first page found; later pages use it, so that they see the same windows while records arrive. */
const windowsSchema = z.object({
  /** The highest token id of the search: what is minted later is not of it. */
  top: tokenIdSchema,
  /**
   * The lowest token id of each window: of records whose name is the text, of those that hold its words outside their
   * prose, and of all that hold them. 0 when it holds every match, above `top` when it was not opened.
   */
  from: z.tuple([tokenIdSchema, tokenIdSchema, tokenIdSchema]),
});

type Windows = z.output<typeof windowsSchema>;

/** Where a page ended. */
export const placeSchema = windowsSchema.extend({
  /** The rank of the last record; null when the page ended behind the ranked ones. */
  rank: z.number().nullable(),
  tokenId: tokenIdSchema,
});

export type Place = z.output<typeof placeSchema>;

/** A search by text: its words, where it looks for them, and how frequent they are. */
export type TextSearch = {
  query: SearchQuery;
  q: string;
  words: readonly SearchWord[];
  parts: readonly { source: Source; match: TextMatch }[];
  known: Frequencies;
};

/** A record that was met, with its rank; null for one outside the windows. */
type Ranked = MetRecord & { rank: number | null };

const id = (tokenId: string) => sql`${tokenId}::numeric`;

/** Qualified: on PGlite a bare name can be a temporary table that Ponder left behind (see `sqlDatabase`). */
const tableName = ({ schema, name }: { schema: string | undefined; name: string }) =>
  schema === undefined ? `"${name}"` : `"${schema}"."${name}"`;

const NEWEST = `(select max(token_id) from ${tableName(getTableConfig(app))})`;
const newest = sql.raw(NEWEST);

const unionOf = (selects: readonly Sql[]): Sql => sql.join([...selects], sql` union all `);

/** A select of `token_id` and `rank`, best first, with the state that each record is in. */
const inOrder = (select: Sql, limit: number, more = sql``): Sql => sql`
  select found.token_id::text as "tokenId", found.rank, ${recordState} as state ${more}
  from (${select}) as found join ${app} on ${app.tokenId} = found.token_id
  order by found.rank desc nulls last, found.token_id desc limit ${limit}::int`;

/**
 * The first matches by relevance, and the windows: the newest matches of each kind as they are now.
 *
 * One word is ranked by where it stands outside a record's prose; records that hold it in their prose alone are all
 * alike. Of several words some may stand here and some there, so unless enough records hold them all outside their
 * prose, a window of all matches is opened too.
 */
export async function firstOf(
  search: TextSearch,
  limit: number,
): Promise<{ found: Ranked[]; windows: Windows | undefined }> {
  const { q, words, known } = search;
  const isOpened = words.length > 1 ? sql`(select count(*) from in_head) < ${WINDOW}::int` : sql`false`;
  const isWhole = sql`(${isOpened} and (select count(*) from anywhere) < ${WINDOW}::int)`;
  const from = (window: string) =>
    sql`(select case when count(*) < ${WINDOW}::int then 0 else min(token_id) end from ${sql.raw(window)})`;
  const inProseAlone = and(
    sql`not ${isWhole} and (select count(*) from best) < ${limit}::int`,
    sql`${app.tokenId} not in (select token_id from ranked)`,
  );
  const select = sql`
    with ${windowsOf(search, isOpened)},
    ranked as materialized (
      select distinct token_id, ${rankOf(q)} as rank
      from (select * from as_name union all select * from in_head union all select * from anywhere) as windows),
    best as materialized (select * from ranked order by rank desc, token_id desc limit ${limit}::int),
    rest as (${newestOf(search, "anywhere", {
      count: limit,
      only: inProseAlone,
      leftOut: words.length > 1 ? 0 : known.ofWords("head_vector", words),
    })})
    select token_id, rank, ${newest}::text as top, array[${from("as_name")}, ${from("in_head")},
      case when ${isOpened} then ${from("anywhere")} else ${newest} + 1 end]::text[] as "from"
    from (select token_id, rank from best union all select token_id, null from rest) as either`;
  const { rows } = await db.execute<Ranked & Windows>(inOrder(select, limit, sql`, found.top, found."from"`));
  return { found: rows, windows: rows[0] };
}

/** The windows as common table expressions: `as_name`, `in_head` and `anywhere`. */
function windowsOf(search: TextSearch, isOpened: Sql): Sql {
  const { query, parts } = search;
  const asName = unionOf(parts.map(({ source, match }) => matching(query, source, match.asName)));
  const window = (select: Sql) =>
    sql`(select * from (${select}) as matches order by token_id desc limit ${WINDOW}::int)`;
  return sql`
    as_name as materialized ${window(asName)},
    in_head as materialized ${window(newestOf(search, "inHead", { count: WINDOW, only: undefined }))},
    anywhere as materialized ${
      search.words.length > 1
        ? window(newestOf(search, "anywhere", { count: WINDOW, only: isOpened }))
        : sql`(select * from in_head where false)`
    }`;
}

/** The newest matches of a kind, of every source. */
const newestOf = (
  { query, parts, known }: TextSearch,
  kind: "inHead" | "anywhere",
  wanted: Omit<Wanted, "match" | "newest">,
): Sql =>
  unionOf(
    parts.map(({ source, match }) =>
      newestMatches(query, source, { ...wanted, match: match[kind], newest: NEWEST }, known),
    ),
  );

/** The ranked matches behind a place. */
export async function inWindows(
  { query, q, parts }: TextSearch,
  limit: number,
  { top, from, rank, tokenId }: Place & { rank: number },
): Promise<Ranked[]> {
  const selects = parts.flatMap(({ source, match: { asName, inHead, anywhere } }) =>
    [asName, inHead.indexed(), anywhere.indexed()].flatMap((condition, index) => {
      const lowest = from[index] as string;
      const between = sql`${app.tokenId} between ${id(lowest)} and ${id(top)}`;
      return BigInt(lowest) > BigInt(top) ? [] : [matching(query, source, and(condition, between))];
    }),
  );
  const select = sql`
    select token_id, rank
    from (select distinct token_id, ${rankOf(q)} as rank from (${unionOf(selects)}) as windows) as ranked
    where (rank, token_id) < (${rank}::float8, ${id(tokenId)})`;
  return (await db.execute<Ranked>(inOrder(select, limit))).rows;
}

/** The newest matches outside the windows, from a place on when that is among them. */
export async function outsideWindows(
  { query, parts, known }: TextSearch,
  limit: number,
  { from: [asName, inHead, anywhere], rank, tokenId }: Place,
): Promise<Ranked[]> {
  const below = BigInt(rank === null ? tokenId : anywhere);
  const selects = parts.map(({ source, match }) => {
    const only = and(
      sql`${app.tokenId} < ${id(below.toString())}`,
      sql`not (${match.asName} and ${app.tokenId} >= ${id(asName)})`,
      sql`not (${match.inHead.read} and ${app.tokenId} >= ${id(inHead)})`,
    );
    const wanted = { match: match.anywhere, count: limit, only, newest: `${below - 1n}` };
    return newestMatches(query, source, wanted, known);
  });
  const select = sql`select token_id, null::float8 as rank from (${unionOf(selects)}) as rest`;
  return (await db.execute<Ranked>(inOrder(select, limit))).rows;
}
