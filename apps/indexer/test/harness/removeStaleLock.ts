import type { Chain, IndexerOptions } from "@app-registry/test-kit/startIndexer";
import { Client } from "pg";

/**
 * Removes the lock of a killed indexer, which would otherwise expire 25 seconds after its last heartbeat. Changes no
 * other row.
 */
export async function removeStaleLock(
  chain: Pick<Chain, "database">,
  { index = "app_registry", databaseUrl = chain.database.url }: IndexerOptions,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    await client.query(`update "${index}"._ponder_meta set value = jsonb_set(value, '{is_locked}', '0')`);
  } catch (error) {
    // Ignore a missing table: the indexer was killed before it created the first one.
    if ((error as { code?: string }).code !== "42P01") throw error;
  } finally {
    await client.end();
  }
}
