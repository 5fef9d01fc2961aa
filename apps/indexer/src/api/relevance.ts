import { app } from "ponder:schema";
import { sql } from "ponder";
import { searchQuery } from "../search/searchVector.ts";
import type { Sql } from "./sql.ts";

const vector = sql`(${app.searchVector}::tsvector)`;

/** Whether a record holds what a person typed, and how well. */
export type Relevance = { matches: Sql; rank: Sql<number> };

/**
 * The full-text condition and rank of `q`. A word that stands whole counts more than the beginning of a longer one.
 * Without a letter or digit in `q` nothing matches.
 */
export function relevance(q: string): Relevance {
  const query = searchQuery(q);
  if (query === null) return { matches: sql`false`, rank: sql`0::float8` };
  const whole = query.replaceAll(":*", "").replaceAll(" & ", " | ");
  return {
    matches: sql`${vector} @@ ${query}::tsquery`,
    rank: sql<number>`(ts_rank(${vector}, ${query}::tsquery) + ts_rank(${vector}, ${whole}::tsquery))::float8`,
  };
}
