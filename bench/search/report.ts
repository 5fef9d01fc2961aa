import type { Figure } from "../load.ts";
import { formatNumber, markdownTable } from "../results.ts";

/** Row of bench/results/search.json. */
interface SearchFigure extends Figure {
  backend: string;
  N: number;
  /** Figure of the bare server for the same searches. */
  bare: Figure | undefined;
}

/** Results of a run. */
export interface SearchResults {
  /** Load average of the machine before the run. */
  loadBefore: number;
  connections: number;
  figures: SearchFigure[];
  /** Current and peak memory of each process after the searches, in bytes. */
  memory: { backend: string; N: number; process: string; resident: number; peak: number }[];
}

/** Fewest responses per second for each response of the bare server, which must also have no lower p95. */
const targets: Record<string, number> = {
  "trait-interface": 1.5,
  "traits-3-all": 0.5,
  text: 1.5,
  "text-trait": 1.5,
};

/** Limit of the memory of the embedded index of 100,000 records, in MiB. */
const MEMORY_TARGET = 1_024;
const MEBIBYTE = 2 ** 20;

const judge = (isMet: boolean) => (isMet ? "met" : "missed");

/** Formats the tables of a run: throughput beside the bare server, time and CPU time of each search, and memory. */
export function formatResults({ figures, memory, connections, loadBefore }: SearchResults): string {
  const place = ({ backend, N }: { backend: string; N: number }) => [backend, formatNumber(N)];
  const compared = figures.flatMap(({ bare, ...figure }) => {
    const target = targets[figure.name];
    if (!bare || target === undefined) return [];
    const ratio = figure.rps / bare.rps;
    return [
      [
        ...[...place(figure), `\`${figure.name}\``, formatNumber(figure.rps), formatNumber(bare.rps)],
        ...[ratio.toFixed(2), target.toFixed(1), judge(ratio >= target)],
        ...[formatNumber(figure.p95_ms), formatNumber(bare.p95_ms), judge(figure.p95_ms <= bare.p95_ms)],
      ],
    ];
  });
  const where = ["Database", "Records:", "Search"];
  const processes = [...new Set(figures.flatMap(({ cpu_ms }) => Object.keys(cpu_ms)))];
  const all = figures.map((figure) => [
    ...[...place(figure), `\`${figure.name}\``],
    ...[figure.rps, figure.p50_ms, figure.p95_ms].map(formatNumber),
    ...processes.map((process) => formatNumber(figure.cpu_ms[process])),
  ]);
  const held = memory.map(({ process, resident, peak, ...at }) => [
    ...[...place(at), process, ...[resident, peak].map((bytes) => formatNumber(bytes / MEBIBYTE))],
    at.backend === "pglite" && process === "index" && at.N === 100_000
      ? judge(peak / MEBIBYTE <= MEMORY_TARGET)
      : "",
  ]);
  const rate = [...where, "Per second:", "Bare server:", "Ratio:", "Target:", ""];
  return [
    markdownTable([...rate, "p95, ms:", "Bare server, ms:", ""], compared),
    markdownTable(
      [...where, "Per second:", "p50, ms:", "p95, ms:", ...processes.map((name) => `CPU of ${name}, ms:`)],
      all,
    ),
    markdownTable(["Database", "Records:", "Process", "Memory, MiB:", "Peak, MiB:", ""], held),
    `${connections} connections; load average before the run: ${loadBefore}.`,
  ].join("\n\n");
}
