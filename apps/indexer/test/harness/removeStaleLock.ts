import { join } from "node:path";
import type { Chain, IndexerOptions } from "@app-registry/test-kit/startIndexer";
import { PGlite } from "@electric-sql/pglite";
import { Client } from "pg";

/**
 * Removes the lock of a killed indexer, which would otherwise expire 25 seconds after its last heartbeat. Changes no
 * other row.
 */
export async function removeStaleLock(
  chain: Pick<Chain, "directory" | "database">,
  { index = "app_registry", embedded: isEmbedded, databaseUrl = chain.database.url }: IndexerOptions,
): Promise<void> {
  const statement = `update "${index}"._ponder_meta set value = jsonb_set(value, '{is_locked}', '0')`;
  const embedded = isEmbedded ? new PGlite(join(chain.directory, index)) : undefined;
  const client = isEmbedded ? undefined : new Client({ connectionString: databaseUrl });
  try {
    await client?.connect();
    await client?.query(statement);
    await embedded?.query(statement);
  } catch (error) {
    // Ignore a missing table: the indexer was killed before it created the first one.
    if ((error as { code?: string }).code !== "42P01") throw error;
  } finally {
    await client?.end();
    await embedded?.close();
  }
}
