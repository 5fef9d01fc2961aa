import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory } from "../../stack/processes.ts";
import type { SearchResults } from "./report.ts";

/** The committed results of a whole run; `pnpm bench:search --update` writes them. */
const snapshotFile = join(rootDirectory, "bench/search.snapshot.json");

export async function readSearchSnapshot(): Promise<SearchResults> {
  return JSON.parse(await readFile(snapshotFile, "utf8")) as SearchResults;
}

export async function writeSearchSnapshot(results: SearchResults): Promise<void> {
  await writeFile(snapshotFile, `${JSON.stringify(results, null, 2)}\n`);
}
