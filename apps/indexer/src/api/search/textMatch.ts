import { sql } from "ponder";
import { cleanText } from "../../document/cleanText.ts";
import { searchQuery } from "../../search/searchVector.ts";
import { sortName } from "../../search/sortName.ts";
import type { Sql } from "../sql.ts";
import type { Source } from "./sources.ts";

/** The words of a DID are searched without its method. */
const DID_METHOD = /^did:(web|pkh):/i;

/** How a record may hold what a person typed, and how well. */
export type TextMatch = {
  /** Its name is the text. */
  asName: Sql;
  /** Its name holds the words. */
  inName: Sql;
  /** It holds the words: what a search by text finds. */
  anywhere: Sql;
  rank: Sql<number>;
};

const nothing: TextMatch = {
  asName: sql`false`,
  inName: sql`false`,
  anywhere: sql`false`,
  rank: sql`0::float8`,
};

/**
 * The conditions and the rank of `q` for the records of a source. Without a letter or digit in `q` nothing matches.
 *
 * Every word has to occur, so the rank need not ask for that again: it adds up where each word occurs, whole or as
 * the beginning of a longer one. A record whose name is the text itself comes before all others.
 */
export function textMatch(q: string, source: Source): TextMatch {
  const query = searchQuery(q.replace(DID_METHOD, ""));
  if (query === null) return nothing;
  const beginnings = query.replaceAll(/ & | <-> /g, " | ");
  const ranked = `${beginnings} | ${beginnings.replaceAll(":*", "")}`;
  const anywhere = sql`${source.searchVector} @@ ${query}::tsquery`;
  const isName = sql`${source.sortName} collate "C" = ${sortName(cleanText(q))}`;
  return {
    asName: sql`(${isName} and ${anywhere})`,
    inName: sql`${source.nameVector} @@ ${query}::tsquery`,
    anywhere,
    rank: sql<number>`(ts_rank(${source.searchVector}, ${ranked}::tsquery)::float8 + case when ${isName} then 1 else 0 end)`,
  };
}
