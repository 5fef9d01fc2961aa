import { db } from "ponder:api";
import type { PGlite, QueryOptions } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";

/**
 * An embedded PGlite as `/sql` reads it. Ponder changes many rows at once by way of a temporary table of the same name,
 * which stays behind, empty. PGlite has one session for everybody, so there a bare name would mean that table. Each
 * statement gets a transaction that looks into the index's schema first, and that can't write.
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
  // Drizzle calls nothing else of a client.
  return drizzle({ client: { query } as unknown as PGlite }) as unknown as typeof db;
}
