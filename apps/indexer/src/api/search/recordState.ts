import { app } from "ponder:schema";
import { sql } from "ponder";
import type { Sql } from "../sql.ts";
import { liveFacts } from "./facts.ts";

/** Whether no higher major of the DID is Active. */
const isLatest = sql<boolean>`not exists (
  select from ${app} higher
  where higher.did_hash = app.did_hash and higher.major > app.major and higher.status = 0)`;

/**
 * Names the state of a record of the index, as far as a result shows it: PostgreSQL gives a row another `xmin` or `ctid`
 * with every change of it, also when the chain falls back. That a major is the latest is a matter of other rows, and what
 * is attested also of time.
 */
export const recordState = sql<string>`app.xmin::text || app.ctid::text || ' ' || (${isLatest})::text || ' ' || ${liveFacts}`;

/** The records that a select finds by `token_id`, with its columns and their states, which are read of these alone. */
export const withState = (found: Sql, order: Sql): Sql =>
  sql`select page.*, ${recordState} as state from (${found}) as page join ${app} on app.token_id = page.token_id ${order}`;
