import { db } from "ponder:api";
import { sql } from "ponder";
import { environment } from "../../environment.ts";
import type { PgliteClient } from "../../offchain/database.ts";
import { startDocumentWorker } from "../../offchain/startDocumentWorker.ts";

/** Starts the worker in this process, unless OFFCHAIN_DOCUMENTS is off or the `worker` process runs it. */
export async function startDocuments(): Promise<void> {
  if (!environment.readsOffchainDocuments || environment.backgroundWork === "worker") return;
  const { rows } = await db.execute<{ name: string }>(sql`select current_schema() as name`);
  const [row] = rows;
  if (!row) throw new Error("The database has no schema.");
  // Ponder's type omits this field of Drizzle.
  const { $client: pglite } = db as unknown as { $client: PgliteClient };
  startDocumentWorker({ environment, indexSchema: row.name, pglite });
}
