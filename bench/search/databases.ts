import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { benchDirectory, type Chain, startDatabase, startIndexer } from "../stack.ts";
import { makeRows, tables } from "./rows.ts";

/** Registry of a size in a kind of database. */
export interface Place {
  backend: "pglite" | "postgres";
  count: number;
}

/** Connection to a database that no indexer is using. */
interface Connection {
  query(sql: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Number of records per insert. */
const CHUNK = 1_000;

/**
 * Fills the tables with the first `count` records. Drops their indexes, as Ponder does at its start, and Ponder creates
 * them again. Disables triggers, which store undo data for reorganisations, because these records are final.
 */
async function loadRows(database: Connection, count: number) {
  const { rows: indexes } = await database.query(`
    select indexname from pg_indexes where schemaname = 'app_registry' and tablename in ('${tables.join("','")}')
    and indexname not in (select conname from pg_constraint where contype = 'p')`);
  for (const { indexname } of indexes) await database.query(`drop index app_registry."${indexname}"`);
  await database.query("set session_replication_role = replica");
  for (let loaded = 0; loaded < count; loaded += CHUNK) {
    const rows = makeRows(loaded, Math.min(count, loaded + CHUNK));
    for (const table of tables) {
      const name = `app_registry.${table}`;
      await database.query(
        `insert into ${name} select * from jsonb_populate_recordset(null::${name}, $1::jsonb) on conflict do nothing`,
        [JSON.stringify(rows[table].map(toColumns))],
      );
    }
  }
  await database.query("vacuum (analyze)");
}

const toColumns = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

/** PostgreSQL settings for loading rows, which a crash would lose. */
const loadingSettings = { fsync: "off", full_page_writes: "off", wal_level: "minimal", max_wal_senders: "0" };

/**
 * Returns the folder of a database with `count` records: that of an earlier run, or a new one if that is missing or
 * `isNew` is true. Ponder creates the schema by starting on a chain without records. The rows are loaded after it has
 * stopped.
 */
export async function prepareDatabase({ backend, count }: Place, chain: Chain, { isNew = false } = {}) {
  const directory = join(benchDirectory, "databases", `${backend}-${count}`);
  const done = `${directory}.done`;
  if (!isNew && (await stat(done).catch(() => undefined))) return directory;
  await rm(done, { force: true });
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  if (backend === "pglite") {
    await (await startIndexer(chain, { PGLITE_DIR: directory })).stop();
    const database = await PGlite.create(directory);
    await loadRows({ query: (sql, values) => database.query(sql, values) }, count);
    await database.close();
  } else {
    const server = await startDatabase(directory, loadingSettings);
    try {
      await (await startIndexer(chain, { DATABASE_URL: server.url })).stop();
      const pool = server.connect();
      const connection = await pool.connect();
      await loadRows(connection, count);
      connection.release();
      await pool.end();
    } finally {
      await server.stop();
    }
  }
  await writeFile(done, "");
  return directory;
}
