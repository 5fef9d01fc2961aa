import { db } from "ponder:api";
import { app } from "ponder:schema";
import { and, sql } from "ponder";
import { z } from "zod";
import type { Sql } from "../sql.ts";
import { tokenIdSchema } from "./cursor.ts";
import { matching, newestMatches } from "./newestMatches.ts";
import { recordState } from "./recordState.ts";
import { rankOf, wholeWords } from "./textMatch.ts";
import { type Part, partsOf, type TextSearch } from "./textSearch.ts";
import { type Ranked, type Windows, windowsSchema } from "./windows.ts";

/** Where a page ended. */
export const placeSchema = windowsSchema.extend({
  /** The rank of the last record; null when the page ended behind the ranked ones. */
  rank: z.number().nullable(),
  tokenId: tokenIdSchema,
});

export type Place = z.output<typeof placeSchema>;

const id = (tokenId: string) => sql`${tokenId}::numeric`;

const unionOf = (selects: readonly Sql[]): Sql => sql.join([...selects], sql` union all `);

/** The records of a select of `token_id` and `rank`, best first. */
async function inOrder(select: Sql, limit: number): Promise<Ranked[]> {
  const { rows } = await db.execute<Ranked>(sql`
    select found.token_id::text as "tokenId", found.rank, ${recordState} as state
    from (${select}) as found join ${app} on ${app.tokenId} = found.token_id
    order by found.rank desc nulls last, found.token_id desc limit ${limit}::int`);
  return rows;
}

/** The ranked matches behind a place. */
export function inWindows(
  search: TextSearch,
  limit: number,
  { rank, tokenId, ...windows }: Place & { rank: number },
): Promise<Ranked[]> {
  const { query, q, words } = search;
  const { top, from } = windows;
  const selects = partsOf(search, wholeWords(words, windows.whole)).flatMap(
    ({ source, match: { asName, inHead, anywhere } }) =>
      [asName, inHead.indexed(), anywhere.indexed()].flatMap((condition, index) => {
        const lowest = from[index] as string;
        const between = sql`${app.tokenId} between ${id(lowest)} and ${id(top)}`;
        return BigInt(lowest) > BigInt(top) ? [] : [matching(query, source, and(condition, between))];
      }),
  );
  return inOrder(
    sql`
      select token_id, rank
      from (select distinct token_id, ${rankOf(q)} as rank from (${unionOf(selects)}) as windows) as ranked
      where (rank, token_id) < (${rank}::float8, ${id(tokenId)})`,
    limit,
  );
}

/** The newest matches outside the windows, of those whose token id is below `below`. */
export function outsideWindows(
  search: TextSearch,
  limit: number,
  windows: Windows,
  below: bigint,
): Promise<Ranked[]> {
  const { query, words, known } = search;
  const inside = partsOf(search, wholeWords(words, windows.whole));
  const selects = partsOf(search, words).map(({ source, match }, index) => {
    const { asName, inHead, anywhere } = (inside[index] as Part).match;
    const isInside = [asName, inHead.read, anywhere.read].flatMap((condition, index) => {
      const lowest = windows.from[index] as string;
      return BigInt(lowest) < below ? [sql`not (${condition} and ${app.tokenId} >= ${id(lowest)})`] : [];
    });
    const only = and(sql`${app.tokenId} < ${id(below.toString())}`, ...isInside);
    const wanted = { match: match.anywhere, count: limit, only, newest: `${below - 1n}` };
    return newestMatches(query, source, wanted, known).select;
  });
  return inOrder(sql`select token_id, null::float8 as rank from (${unionOf(selects)}) as rest`, limit);
}
