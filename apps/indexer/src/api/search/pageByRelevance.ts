import { db } from "ponder:api";
import { app } from "ponder:schema";
import type { SearchQuery } from "@app-registry/sdk";
import { and, sql } from "ponder";
import { z } from "zod";
import type { Sql } from "../sql.ts";
import { decodeCursor, tokenIdSchema } from "./cursor.ts";
import { recordFilters } from "./filters.ts";
import type { Found } from "./found.ts";
import { isCommon } from "./isCommon.ts";
import { fromEach, type Source, type Sources, sourcesOf } from "./sources.ts";
import { type TextMatch, textMatch } from "./textMatch.ts";

/**
 * Records of each window that are ranked. To rank every record that holds a common word would take time in
 * proportion to the registry.
 */
const WINDOW = 200;

/** The ways in which a record may hold the text; the newest matches of each way make a window. */
const ways = ["asName", "inName", "anywhere"] as const satisfies readonly (keyof TextMatch)[];

/** What the first page found; later pages use it, so that they see the same windows while records arrive. */
const windowsSchema = z.object({
  /** The highest token id of the search: what is minted later is not of it. */
  top: tokenIdSchema,
  /** The lowest token id of each way's window; 0 when it holds every match. */
  from: z.tuple([tokenIdSchema, tokenIdSchema, tokenIdSchema]),
});

type Windows = z.output<typeof windowsSchema>;

const placeSchema = windowsSchema.extend({
  /** The rank of the last record; null when the page ended behind the ranked ones. */
  rank: z.number().nullable(),
  tokenId: tokenIdSchema,
});

type Place = z.output<typeof placeSchema>;
type Ranked = { tokenId: string; rank: number };

/** The text of a search, and where it is looked for. */
type Text = Sources & { of: (source: Source) => TextMatch };

const id = (tokenId: string) => sql`${tokenId}::numeric`;

/**
 * The records of one page by relevance. First the records of the windows, best first; behind them every other
 * match, newest first. The cursor carries the windows' bounds: as long as a record's own words, status and holder
 * stay what they are, following the pages meets it once.
 */
export async function pageByRelevance(query: SearchQuery, q: string): Promise<Found> {
  const text: Text = { ...(await sourcesOf(query)), of: (source) => textMatch(q, source) };
  const place = decodeCursor(query, placeSchema);
  const wanted = query.limit + 1;
  const { ranked, windows } =
    place === undefined ? await openWindows(query, text, wanted) : await goOn(query, text, wanted, place);
  if (windows === null) return { tokenIds: [], next: null };
  const rest =
    ranked.length < wanted && windows.from[2] !== "0"
      ? await unranked(query, text, wanted - ranked.length, windows, place)
      : [];
  const found: { tokenId: string; rank: number | null }[] = [...ranked, ...rest];
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return {
    tokenIds: page.map(({ tokenId }) => BigInt(tokenId)),
    next: last && found.length > query.limit ? ({ ...windows, ...last } satisfies Place) : null,
  };
}

/** The first page: the windows are the newest matches of each way, as they are now. */
async function openWindows(
  query: SearchQuery,
  text: Text,
  limit: number,
): Promise<{ ranked: Ranked[]; windows: Windows | null }> {
  const [asName, inName, anywhere] = await Promise.all(ways.map((way) => newestOf(query, text, way)));
  const bound = (window: string) =>
    sql`(select case when count(*) < ${WINDOW}::int then 0 else min(token_id) end from ${sql.raw(window)})::text`;
  const { rows } = await db.execute<{
    token_id: string;
    rank: number;
    top: string;
    from: Windows["from"];
  }>(sql`
    with as_name as materialized (${asName}), in_name as materialized (${inName}),
      anywhere as materialized (${anywhere})
    select ${app.tokenId}::text as token_id, ${text.of(text.whole).rank} as rank,
      (select max(token_id) from anywhere)::text as top,
      array[${bound("as_name")}, ${bound("in_name")}, ${bound("anywhere")}] as "from"
    from ${text.whole.from}
    where ${app.tokenId} in (
      select token_id from as_name union select token_id from in_name union select token_id from anywhere)
    order by rank desc, ${app.tokenId} desc limit ${limit}::int`);
  const [first] = rows;
  return {
    ranked: rows.map(({ token_id, rank }) => ({ tokenId: token_id, rank })),
    windows: first ? { top: first.top, from: first.from } : null,
  };
}

/** The token ids of a way's newest matches. */
async function newestOf(query: SearchQuery, text: Text, way: (typeof ways)[number]): Promise<Sql> {
  const parts = text.parts.map(async (source) => {
    const matches = tokenIds(query, source, text.of(source)[way]);
    const isWalked = way === "anywhere" && (await isCommon(matches, WINDOW));
    // An order that no index has keeps PostgreSQL from walking the records one by one.
    const order = isWalked ? sql`${app.tokenId} desc` : sql`${app.tokenId} + 0 desc`;
    return sql`(${matches} order by ${order} limit ${WINDOW}::int)`;
  });
  return sql`
    select token_id from (${sql.join(await Promise.all(parts), sql` union all `)}) as matches
    order by token_id desc limit ${WINDOW}::int`;
}

/** A later page: what of the windows is behind the place. */
async function goOn(
  query: SearchQuery,
  text: Text,
  limit: number,
  { top, from, rank, tokenId }: Place,
): Promise<{ ranked: Ranked[]; windows: Windows }> {
  const windows = { top, from };
  if (rank === null) return { ranked: [], windows };
  const { rank: rankOf } = text.of(text.whole);
  const { rows } = await db.execute<{ token_id: string; rank: number }>(sql`
    select ${app.tokenId}::text as token_id, ${rankOf} as rank from ${text.whole.from}
    where ${app.tokenId} in (${inWindows(query, text, windows)})
      and (${rankOf}, ${app.tokenId}) < (${rank}::float8, ${id(tokenId)})
    order by rank desc, ${app.tokenId} desc limit ${limit}::int`);
  return { ranked: rows.map((row) => ({ tokenId: row.token_id, rank: row.rank })), windows };
}

/** The token ids of the windows. */
function inWindows(query: SearchQuery, text: Text, { top, from }: Windows): Sql {
  const selects = ways.flatMap((way, index) => {
    const between = sql`${app.tokenId} between ${id(from[index] as string)} and ${id(top)}`;
    return text.parts.map((source) => tokenIds(query, source, and(text.of(source)[way], between)));
  });
  return sql.join(selects, sql` union `);
}

/** The token ids of a source's records that fulfil a condition on their text. */
const tokenIds = (query: SearchQuery, source: Source, condition: Sql | undefined) => sql`
  select ${app.tokenId} as token_id from ${source.from}
  where ${and(recordFilters(query), source.only, condition)}`;

/** The matches outside the windows, newest first, from the place on when that is among them. */
async function unranked(
  query: SearchQuery,
  text: Text,
  limit: number,
  { from: [asName, inName, anywhere] }: Windows,
  place: Place | undefined,
): Promise<{ tokenId: string; rank: null }[]> {
  const below = place?.rank === null ? place.tokenId : anywhere;
  const outside = (match: TextMatch) =>
    and(
      match.anywhere,
      sql`${app.tokenId} < ${id(below)}`,
      sql`not (${match.asName} and ${app.tokenId} >= ${id(asName)})`,
      sql`not (${match.inName} and ${app.tokenId} >= ${id(inName)})`,
    );
  const { rows } = await db.execute<{ token_id: string }>(
    fromEach(
      text.parts,
      (source) => tokenIds(query, source, outside(text.of(source))),
      sql`order by token_id desc limit ${limit}::int`,
    ),
  );
  return rows.map(({ token_id }) => ({ tokenId: token_id, rank: null }));
}
