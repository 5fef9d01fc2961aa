import { join } from "node:path";
import { LOCAL_CHAIN_ID } from "../../packages/sdk/src/local.ts";
import type { Server } from "./chain.ts";
import { rootDirectory, startService } from "./processes.ts";

export interface IndexerParameters {
  rpcUrl: string;
  deploymentFile: string;
  /** A PostgreSQL, or the folder of an embedded database. */
  database: { DATABASE_URL: string } | { PGLITE_DIR: string };
  port: number;
  /** `start` indexes and answers; `serve` answers alone, beside another process that indexes into a PostgreSQL. */
  command?: "start" | "serve";
  schema?: string;
  /** More arguments of Ponder's command line. */
  parameters?: string[];
  environment?: Record<string, string>;
  /** Names the log. */
  name?: string;
  logDirectory: string;
}

/** Starts the indexer on a local chain; it answers later. */
export async function spawnIndexer({
  command = "start",
  schema = "app_registry",
  name = "indexer",
  ...options
}: IndexerParameters): Promise<Server> {
  const { rpcUrl, deploymentFile, database, port, parameters = [], logDirectory } = options;
  const service = await startService({
    name,
    command: "node_modules/.bin/ponder",
    parameters: [
      ...[command, "--schema", schema, "--hostname", "127.0.0.1", "--port", String(port)],
      ...parameters,
    ],
    directory: join(rootDirectory, "apps/indexer"),
    environment: {
      CHAIN_ID: String(LOCAL_CHAIN_ID),
      RPC_URL: rpcUrl,
      DEPLOYMENT_FILE: deploymentFile,
      // What the caller's own environment says is of another database.
      DATABASE_URL: "",
      ...database,
      ...options.environment,
    },
    logDirectory,
  });
  return { url: `http://127.0.0.1:${port}`, service };
}
