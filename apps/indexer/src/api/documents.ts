import { db } from "ponder:api";
import { sql } from "ponder";
import { type Environment, readEnvironment } from "../../environment.ts";
import type { PgliteClient } from "../../offchain/database.ts";
import type { WorkerMetrics } from "../../offchain/metrics.ts";
import { startDocumentWorker } from "../../offchain/startDocumentWorker.ts";

/** What this process reads from its environment. */
const environment: Environment = readEnvironment(process.env);

/** Starts the worker in this process, unless OFFCHAIN_DOCUMENTS is off. */
export async function startDocuments(): Promise<WorkerMetrics | undefined> {
  if (!environment.readsOffchainDocuments) return undefined;
  const { rows } = await db.execute<{ name: string }>(sql`select current_schema() as name`);
  const [row] = rows;
  if (!row) throw new Error("The database names no schema.");
  // Drizzle's own field, which Ponder's type leaves out.
  const { $client: pglite } = db as unknown as { $client: PgliteClient };
  return startDocumentWorker({ environment, indexSchema: row.name, pglite });
}
