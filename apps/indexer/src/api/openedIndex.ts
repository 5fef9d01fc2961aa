import { openIndex } from "@app-registry/index/openIndex";
import { DOCUMENT_QUEUE, quoteSchemas } from "@app-registry/index/workerTables";
import { createSqlJobQueue } from "@app-registry/outbound/internal";
import pg from "pg";
import { environment } from "../../environment.ts";

const { chainId, databaseSchema: schema } = environment;
const databaseUrl = environment.databaseUrl as string;

/** Index that this process answers from. */
export const index = openIndex({ databaseUrl, schema, chainId });

const pool = new pg.Pool({
  ...{ connectionString: databaseUrl, max: 1, statement_timeout: 10_000, allowExitOnIdle: true },
});
pool.on("error", () => undefined);

/** Worker's queue of probes. */
export const probeQueue = createSqlJobQueue(
  async (text, values) => (await pool.query(text, values)).rows,
  quoteSchemas(chainId, schema).offchain,
  DOCUMENT_QUEUE.scope,
);
