import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "../../../stack/ports.ts";
import { rootDirectory } from "../../../stack/processes.ts";
import { benchDirectory, type Chain, startIndexer } from "../servers.ts";
import { loadRows } from "./loadRows.ts";
import { openPglite } from "./pglite.ts";
import { openPostgres, startDatabase } from "./postgres.ts";

export type Backend = "pglite" | "postgres";

const databases = join(benchDirectory, "databases");

/** What the rows of a loaded database come out of: another state of it is another database. */
const sources = [
  "apps/indexer/{ponder.config,ponder.schema,tsvector}.ts",
  "apps/indexer/src/*.ts",
  "apps/indexer/src/{document,search}/**/*.ts",
  "packages/sdk/generated/abi.ts",
  "packages/sdk/src/{*,metadata/*}.ts",
  "scripts/bench/search/{data,load}/*.ts",
];

async function stateOfSources(): Promise<string> {
  const hash = createHash("sha256");
  const files = globSync(sources, { cwd: rootDirectory }).filter((file) => !file.endsWith(".test.ts"));
  for (const file of files.sort()) hash.update(await readFile(join(rootDirectory, file)));
  return hash.digest("hex").slice(0, 12);
}

/**
 * The folder of a database with `count` records: one that an earlier run left, or a new one. Ponder makes its schema,
 * by starting on a chain without records; then the rows are loaded while it is stopped.
 */
export async function prepareDatabase(
  { backend, count }: { backend: Backend; count: number },
  chain: Chain,
  firstPort: number,
  onProgress: (message: string) => void,
): Promise<string> {
  const state = await stateOfSources();
  await mkdir(databases, { recursive: true });
  for (const name of await readdir(databases)) {
    if (!name.startsWith(state)) await rm(join(databases, name), { recursive: true });
  }
  const directory = join(databases, `${state}-${backend}-${count}`);
  const done = `${directory}.done`;
  if (await readFile(done).catch(() => undefined)) return directory;

  await rm(directory, { recursive: true, force: true });
  const start = Date.now();
  const load = backend === "pglite" ? loadPglite : loadPostgres;
  await load(directory, count, chain, firstPort, onProgress);
  const seconds = Math.round((Date.now() - start) / 1_000);
  await writeFile(done, `${seconds}\n`);
  onProgress(`loaded in ${seconds} s`);
  return directory;
}

type Load = (
  directory: string,
  count: number,
  chain: Chain,
  firstPort: number,
  onProgress: (message: string) => void,
) => Promise<void>;

const loadPglite: Load = async (directory, count, chain, firstPort, onProgress) => {
  const indexer = await startIndexer({
    chain,
    database: { PGLITE_DIR: directory },
    command: "start",
    firstPort,
  });
  await indexer.service.stop();
  const target = await openPglite(directory);
  await loadRows(target, count, onProgress);
  await target.query("analyze");
  await target.close();
};

const loadPostgres: Load = async (directory, count, chain, firstPort, onProgress) => {
  const server = await startDatabase(directory, await findFreePort(firstPort), { loading: true });
  try {
    const indexer = await startIndexer({
      chain,
      database: { DATABASE_URL: server.url },
      command: "start",
      firstPort: firstPort + 1,
    });
    await indexer.service.stop();
    const target = await openPostgres(server.url);
    await loadRows(target, count, onProgress);
    await target.query("checkpoint");
    await target.close();
  } finally {
    await server.stop();
  }
};
