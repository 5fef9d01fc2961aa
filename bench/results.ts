import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Name of a benchmark. Its committed figures, if any, are in `bench/<name>/snapshot.json`. */
type Benchmark = "gas" | "index" | "relevance" | "search" | "web";

const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const snapshotFile = (benchmark: Benchmark) => toPath(`${benchmark}/snapshot.json`);

/** Reads the committed figures of a benchmark. */
export async function readSnapshot<Figures>(benchmark: Benchmark): Promise<Figures> {
  return JSON.parse(await readFile(snapshotFile(benchmark), "utf8")) as Figures;
}

/** Writes the figures of a run to `bench/results/<name>.json`, which git ignores, and, for `update`, to the snapshot. */
export async function writeResults(benchmark: Benchmark, figures: unknown, update = false): Promise<void> {
  await mkdir(toPath("results"), { recursive: true });
  for (const file of [toPath(`results/${benchmark}.json`), ...(update ? [snapshotFile(benchmark)] : [])]) {
    await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`);
    console.log(`Wrote ${file}`);
  }
}

/**
 * Returns the smallest sample that at least `share` of all samples do not exceed (nearest rank).
 * @throws Error if there are no samples.
 */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const sample = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (sample === undefined) throw new Error("There are no samples.");
  return sample;
}

/** Formats a number for pages and tables, with one decimal below 100. A missing number is empty. */
export const formatNumber = (value: number | null | undefined): string =>
  value?.toLocaleString("en-US", { maximumFractionDigits: value < 100 ? 1 : 0 }) ?? "";

/** Formats a Markdown table. Columns whose head ends with `:` are aligned to the right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const names = head.map((name) => name.replace(/:$/, ""));
  const rule = head.map((name) => (name.endsWith(":") ? "---:" : "---"));
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(names).replaceAll("|  |", "| |"), `|${rule.join("|")}|`, ...rows.map(line)].join("\n");
}
