import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** A benchmark; its committed figures are in `bench/<name>/snapshot.json`. */
type Benchmark = "gas" | "index" | "relevance" | "search" | "web";

const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const snapshotFile = (benchmark: Benchmark) => toPath(`${benchmark}/snapshot.json`);

/** The committed figures of a benchmark. */
export async function readSnapshot<Figures>(benchmark: Benchmark): Promise<Figures> {
  return JSON.parse(await readFile(snapshotFile(benchmark), "utf8")) as Figures;
}

/** Makes figures the committed ones. */
export async function writeSnapshot(benchmark: Benchmark, figures: unknown): Promise<void> {
  await writeJson(snapshotFile(benchmark), figures);
}

/** Writes the figures of a run to `bench/results/<name>.json`, which git ignores. */
export async function writeResults(benchmark: Benchmark, figures: unknown): Promise<void> {
  await mkdir(toPath("results"), { recursive: true });
  await writeJson(toPath(`results/${benchmark}.json`), figures);
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
  console.log(`Wrote ${file}`);
}

/**
 * The smallest sample that at least `share` of all samples do not exceed (nearest rank).
 * @throws When there are no samples.
 */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const sample = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (sample === undefined) throw new Error("There are no samples.");
  return sample;
}

/** A number as pages and tables show it: with one decimal below 100; what is not measured is left empty. */
export const formatNumber = (value: number | null | undefined): string =>
  value?.toLocaleString("en-US", { maximumFractionDigits: value < 100 ? 1 : 0 }) ?? "";

/** A table in Markdown. A column whose head ends with `:` holds numbers and is aligned to the right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const names = head.map((name) => name.replace(/:$/, ""));
  const rule = head.map((name) => (name.endsWith(":") ? "---:" : "---"));
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(names).replaceAll("|  |", "| |"), `|${rule.join("|")}|`, ...rows.map(line)].join("\n");
}
