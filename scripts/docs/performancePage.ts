import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { formatIndexFigures } from "../../bench/index/results.ts";
import { formatNumber, markdownTable, readSnapshot } from "../../bench/results.ts";
import { formatResults } from "../../bench/search/report.ts";
import { rootDirectory } from "../stack/processes.ts";
import { replaceBlock } from "./replaceBlock.ts";

type PageFigures = { page: string; htmlKB: number; jsKB: number; cssKB: number; requests: number };

/** Returns the text of docs/performance.md with the figures of the committed snapshots. */
export async function renderPerformancePage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/performance.md"), "utf8");
  const { pages } = await readSnapshot<{ pages: PageFigures[] }>("web");
  const blocks = {
    search: formatResults(await readSnapshot("search")),
    "index-figures": formatIndexFigures(await readSnapshot("index")),
    pages: formatPages(pages),
  };
  return Object.entries(blocks).reduce((text, [name, block]) => replaceBlock(text, name, block), page);
}

const formatPages = (pages: readonly PageFigures[]) =>
  markdownTable(
    ["Page", "HTML, kB:", "JavaScript, kB:", "CSS, kB:", "Requests:"],
    pages.map(({ page, ...figures }) => [
      `\`${page}\``,
      ...[figures.htmlKB, figures.jsKB, figures.cssKB, figures.requests].map(formatNumber),
    ]),
  );
