import { db } from "ponder:api";

type Query = (text: string, values?: unknown[], options?: object) => Promise<unknown>;

/** What of Drizzle's database over PGlite is used; Ponder's type leaves it out. */
type EmbeddedDatabase = {
  $client: { transaction(run: (transaction: { query: Query }) => Promise<unknown>): Promise<unknown> };
  _: { session: object };
};

/**
 * An embedded PGlite as `/sql` reads it. Ponder changes many rows at once by way of a temporary table of the same name,
 * which stays behind, empty. PGlite has one session for everybody, so there a bare name would mean that table. Each
 * statement gets a transaction that looks into the index's schema first, and that can't write.
 */
export function sqlDatabase(): typeof db {
  const { $client: pglite, _ } = db as unknown as EmbeddedDatabase;
  const query: Query = (text, values, options) =>
    pglite.transaction(async (transaction) => {
      await transaction.query("set transaction read only");
      await transaction.query(
        "select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)",
      );
      return transaction.query(text, values, options);
    });
  const session = Object.create(_.session, { client: { value: { query } } });
  return { _: { session } } as unknown as typeof db;
}
