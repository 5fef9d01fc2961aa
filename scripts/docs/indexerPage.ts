import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { formatIndexFigures } from "../../bench/index/results.ts";
import { readSnapshot } from "../../bench/results.ts";
import { formatResults } from "../../bench/search/report.ts";
import { rootDirectory } from "../stack/processes.ts";
import { replaceBlock } from "./replaceBlock.ts";

/** Returns the text of docs/indexer.md with the figures of the committed snapshots. */
export async function renderIndexerPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/indexer.md"), "utf8");
  const withSearch = replaceBlock(page, "search", formatResults(await readSnapshot("search")));
  return replaceBlock(withSearch, "index-figures", formatIndexFigures(await readSnapshot("index")));
}
