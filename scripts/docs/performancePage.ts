import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { formatIndexFigures } from "../../bench/index/results.ts";
import { readSnapshot } from "../../bench/results.ts";
import { formatResults } from "../../bench/search/report.ts";
import { formatAudits, formatServerTimes, type WebResults } from "../../bench/web/report.ts";
import { rootDirectory } from "../stack/processes.ts";
import { replaceBlock } from "./replaceBlock.ts";

/** Returns the text of docs/performance.md with the figures of the committed snapshots. */
export async function renderPerformancePage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/performance.md"), "utf8");
  const web = await readSnapshot<WebResults>("web");
  const blocks = {
    search: formatResults(await readSnapshot("search")),
    "index-figures": formatIndexFigures(await readSnapshot("index")),
    pages: formatAudits(web.audits),
    "server-times": formatServerTimes(web),
  };
  return Object.entries(blocks).reduce((text, [name, block]) => replaceBlock(text, name, block), page);
}
