import { db } from "ponder:api";
import type { PGlite, QueryOptions } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";

/**
 * Wraps an embedded PGlite for `/sql`. For bulk changes, Ponder creates a temporary table of the same name and leaves
 * it behind, empty. PGlite has a single session, so an unqualified name would refer to that table. Therefore each
 * statement runs in a read-only transaction that searches the index's schema first.
 */
export function sqlDatabase(): typeof db {
  const { $client: pglite } = db as unknown as { $client: PGlite };
  const query = (text: string, values?: unknown[], options?: QueryOptions) =>
    pglite.transaction(async (transaction) => {
      await transaction.query("set transaction read only");
      await transaction.query(
        "select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)",
      );
      return transaction.query(text, values, options);
    });
  // Drizzle calls no other method of a client.
  return drizzle({ client: { query } as unknown as PGlite }) as unknown as typeof db;
}
