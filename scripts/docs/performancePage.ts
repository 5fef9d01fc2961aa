import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { IndexFigures } from "../../bench/index/run.ts";
import { formatNumber, markdownTable, readSnapshot } from "../../bench/results.ts";
import type { SearchFigure } from "../../bench/search/run.ts";
import { rootDirectory } from "../stack/processes.ts";
import { replaceBlock } from "./replaceBlock.ts";

/** Returns the text of docs/performance.md with the figures of the committed snapshots. */
export async function renderPerformancePage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/performance.md"), "utf8");
  const blocks = {
    search: formatSearches(await readSnapshot("search")),
    "index-figures": formatIndexFigures(await readSnapshot("index")),
  };
  return Object.entries(blocks).reduce((text, [name, block]) => replaceBlock(text, name, block), page);
}

const formatSearches = (figures: readonly SearchFigure[]): string =>
  markdownTable(
    ["Records:", "Search", "Per second:", "Bare server:", "p95, ms:", "Bare server:"],
    figures.map(({ records, name, rps, p95_ms, bare }) => [
      ...[formatNumber(records), `\`${name}\``],
      ...[rps, bare?.rps, p95_ms, bare?.p95_ms].map(formatNumber),
    ]),
  );

const formatIndexFigures = ({ events, lagSamples, ...figures }: IndexFigures): string =>
  markdownTable(
    ["", "Result:"],
    [
      [`events of the past a second, of ${formatNumber(events)}`, formatNumber(figures.backfill)],
      ["restart until `/ready`, s", formatNumber(figures.restart)],
      [`lag behind a receipt of ${lagSamples} services, p50, ms`, formatNumber(figures.lagP50)],
      ["the same, p95, ms", formatNumber(figures.lagP95)],
    ],
  );
