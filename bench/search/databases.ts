import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Client } from "pg";
import { rootDirectory } from "../../scripts/stack/processes.ts";
import { makeRows } from "./rows.ts";
import { benchDirectory, type Chain, SCHEMA, startDatabase, startIndexer } from "./servers.ts";

export type Backend = "pglite" | "postgres";

/** A connection to a database that no indexer has open. */
interface Connection {
  query(sql: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Runs SQL on a PostgreSQL server. */
export async function withPostgres(url: string, use: (connection: Connection) => Promise<void>) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await use(client).finally(() => client.end());
}

/** Records that are inserted together. */
const CHUNK = 1_000;
const PROGRESS_EVERY = 50_000;

const tables = [
  ...["app", "version", "document", "token_of_major", "service", "trait"],
  ...["issuer", "did_attestation", "data_hash_attestation"],
];

/**
 * Fills the tables with the first `count` records. Their indexes are dropped, as Ponder does when it starts, and Ponder
 * makes them again. Triggers, which keep what a reorganisation would undo, do not fire: these records are final.
 */
async function loadRows(database: Connection, count: number, onProgress: (message: string) => void) {
  const { rows: indexes } = await database.query(`
    select indexname from pg_indexes where schemaname = '${SCHEMA}' and tablename in ('${tables.join("','")}')
    and indexname not in (select conname from pg_constraint where contype = 'p')`);
  for (const { indexname } of indexes) await database.query(`drop index "${SCHEMA}"."${indexname}"`);
  await database.query("set session_replication_role = replica");
  let next = makeRows(0, Math.min(count, CHUNK));
  for (let loaded = CHUNK; loaded < count + CHUNK; loaded += CHUNK) {
    const rows = await next;
    // The next rows are made while the database takes these.
    next = makeRows(loaded, Math.min(count, loaded + CHUNK));
    for (const table of tables) {
      const name = `"${SCHEMA}"."${table}"`;
      await database.query(
        `insert into ${name} select * from jsonb_populate_recordset(null::${name}, $1::jsonb) on conflict do nothing`,
        [toJson(rows.get(table) ?? [])],
      );
    }
    if (loaded % PROGRESS_EVERY === 0 && loaded < count) onProgress(`${loaded} of ${count} records loaded`);
  }
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const toJson = (rows: readonly Record<string, unknown>[]) =>
  JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value])),
    ),
    (_, value) => (typeof value === "bigint" ? String(value) : value),
  );

const databases = join(benchDirectory, "databases");

/** The sources that decide what rows there are: a change of them needs another database. */
const sources = [
  "apps/indexer/{ponder.config,ponder.schema,tsvector}.ts",
  "apps/indexer/src/*.ts",
  "apps/indexer/src/{control,document,search}/**/*.ts",
  "packages/sdk/src/search/words.ts",
  "packages/sdk/generated/abi.ts",
  "packages/sdk/src/{*,metadata/*}.ts",
  "bench/search/{rows,databases,data/*}.ts",
];

async function hashSources(): Promise<string> {
  const hash = createHash("sha256");
  const files = globSync(sources, { cwd: rootDirectory }).filter((file) => !file.endsWith(".test.ts"));
  for (const file of files.sort()) hash.update(await readFile(join(rootDirectory, file)));
  return hash.digest("hex").slice(0, 12);
}

/**
 * Returns the folder of a database with `count` records: one that an earlier run left, or a new one. Ponder makes its
 * schema by starting on a chain without records; the rows are loaded after it has stopped.
 */
export async function prepareDatabase(
  { backend, count }: { backend: Backend; count: number },
  chain: Chain,
  onProgress: (message: string) => void,
): Promise<string> {
  const state = await hashSources();
  await mkdir(databases, { recursive: true });
  for (const name of await readdir(databases)) {
    if (!name.startsWith(state)) await rm(join(databases, name), { recursive: true });
  }
  const directory = join(databases, `${state}-${backend}-${count}`);
  const done = `${directory}.done`;
  if (await readFile(done).catch(() => undefined)) return directory;

  await rm(directory, { recursive: true, force: true });
  const start = Date.now();
  await (backend === "pglite" ? loadPglite : loadPostgres)(directory, count, chain, onProgress);
  const seconds = Math.round((Date.now() - start) / 1_000);
  await writeFile(done, `${seconds}\n`);
  onProgress(`loaded in ${seconds} s`);
  return directory;
}

type Load = (
  directory: string,
  count: number,
  chain: Chain,
  onProgress: (message: string) => void,
) => Promise<void>;

const loadPglite: Load = async (directory, count, chain, onProgress) => {
  const indexer = await startIndexer({ chain, database: { PGLITE_DIR: directory } });
  await indexer.service.stop();
  const database = await PGlite.create(directory);
  await loadRows({ query: (sql, values) => database.query(sql, values) }, count, onProgress);
  await database.query("analyze");
  await database.close();
};

const loadPostgres: Load = async (directory, count, chain, onProgress) => {
  const server = await startDatabase(directory, { loading: true });
  try {
    const indexer = await startIndexer({ chain, database: { DATABASE_URL: server.url } });
    await indexer.service.stop();
    await withPostgres(server.url, async (database) => {
      await loadRows(database, count, onProgress);
      await database.query("checkpoint");
    });
  } finally {
    await server.stop();
  }
};
