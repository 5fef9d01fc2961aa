import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { type PostgresServer, startPostgres } from "../../../../packages/sdk/test/support/postgres.ts";
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

/** Starts a PostgreSQL server on a folder, which is initialised when it is not there. */
export const startDatabase = (
  directory: string,
  port: number,
  { loading = false } = {},
): Promise<PostgresServer> =>
  startPostgres({ directory, port, settings: { ...postgresSettings, ...(loading && loadingSettings) } });

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
