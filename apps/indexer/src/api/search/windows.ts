import { db } from "ponder:api";
import { app } from "ponder:schema";
import { sql } from "ponder";
import { z } from "zod";
import { tokenIdSchema } from "./cursor.ts";
import type { MetRecord } from "./found.ts";
import { NEWEST, openingOf, WINDOW } from "./opening.ts";
import { recordState } from "./recordState.ts";
import { rankOf } from "./textMatch.ts";
import type { TextSearch } from "./textSearch.ts";

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

/** A record that was met, with its rank; null for one outside the windows. */
export type Ranked = MetRecord & { rank: number | null };

/** What opening the windows finds. */
export type Opened = {
  found: Ranked[];
  windows: Windows;
  /** Whether nothing else matches. */
  isAll: boolean;
};

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
    with newest as materialized (select coalesce(max(${app.tokenId}), 0) as id from ${app}), ${views},
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
      from found join ${app} on ${app.tokenId} = found.token_id) as record on true
    order by record.rank desc nulls last, record."tokenId"::numeric desc`);
  const { top, from: lowest } = rows[0] as Windows; // there is a row, whether anything is found or not
  const windows: Windows = { top, from: lowest, whole };
  const found = rows.filter((row) => row.tokenId !== null);
  return { found, windows, isAll: found.length < limit && (readsEveryMatch || holdEveryMatch(windows)) };
}

/** Whether the window of all matches holds each of them. */
export const holdEveryMatch = ({ from, whole }: Windows): boolean => from[2] === "0" && whole.length === 0;
