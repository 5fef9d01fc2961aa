import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory } from "../../stack/processes.ts";

/** A figure of the indexer beside that of Ponder with handlers that do nothing, of the same run. */
export type Compared = { indexer: number; bare: number };

/** What `pnpm bench:index` measures on one database. */
export type IndexFigures = {
  database: "PGlite" | "PostgreSQL";
  /** Events a second while the past is indexed. */
  backfill: Compared;
  /** Seconds from the start of the process over an index that is whole, to `/ready`. */
  restart: Compared;
  /** Seconds to the first answer of `/search`. */
  restartToSearch: number;
  /** Milliseconds from a receipt to the answer that knows of it, in blocks of one second. */
  lagP50: Compared;
  lagP95: Compared;
};

/** The committed figures. */
export type IndexSnapshot = {
  services: number;
  events: number;
  lagSamples: number;
  machine: string;
  /** Load average of the machine before the run: near 0 when it had nothing else to do. */
  loadBefore: number;
  databases: IndexFigures[];
};

/** `pnpm bench:index --update` writes it. */
export const indexSnapshotFile = join(rootDirectory, "bench/index.snapshot.json");

export async function readIndexSnapshot(): Promise<IndexSnapshot> {
  return JSON.parse(await readFile(indexSnapshotFile, "utf8")) as IndexSnapshot;
}
