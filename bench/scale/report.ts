import { formatNumber, markdownTable } from "../results.ts";

/** Throughput with some processes of a layer, and where the CPU time went. */
export interface ScaleFigure {
  layer: "readers" | "web";
  processes: number;
  /** Answers a second. */
  rps: number;
  p95_ms: number;
  /** Throughput as a multiple of one process's. */
  ratio: number;
  /** Cores busy on average, by part. */
  cores: { generator: number; postgres: number; readers: number; web: number };
}

export interface ScaleResults {
  records: number;
  connections: number;
  /** Cores of the machine. */
  cores: number;
  /** Load average before the run: what else the machine did. */
  loadBefore: number;
  /** Bytes of PostgreSQL with this many records, indexes included. */
  databaseBytes: number;
  /** The largest tables with their indexes. */
  tableBytes: Record<string, number>;
  figures: ScaleFigure[];
}

export function formatScale({ records, connections, cores, loadBefore, figures }: ScaleResults): string {
  const rows = figures.map(({ layer, processes, rps, p95_ms, ratio, cores: busy }) => [
    ...[`${processes} ${layer}`, formatNumber(rps), ratio.toFixed(2), formatNumber(p95_ms)],
    ...[busy.generator, busy.postgres, busy.readers, busy.web].map((share) => share.toFixed(2)),
    formatNumber(rps / Math.max(0.01, busy.readers + busy.postgres + busy.web)),
  ]);
  const head = ["Processes", "Searches/s:", "Ratio:", "p95, ms:", "Generator, cores:", "PostgreSQL:"];
  return [
    markdownTable([...head, "Readers:", "Web:", "Searches per core of the servers:"], rows),
    `${formatNumber(records)} records, ${connections} connections, ${cores} cores, load average ${loadBefore.toFixed(1)} before.`,
  ].join("\n\n");
}

/** How much room a service takes in PostgreSQL. */
export function formatSizes({ records, databaseBytes, tableBytes }: ScaleResults): string {
  const rows = Object.entries(tableBytes).map(([table, bytes]) => [
    ...[`\`${table}\``, formatNumber(bytes / 2 ** 20), formatNumber(bytes / records)],
  ]);
  const whole = [
    "the whole database",
    formatNumber(databaseBytes / 2 ** 20),
    formatNumber(databaseBytes / records),
  ];
  return markdownTable(["Table with its indexes", "MB:", "Bytes a record:"], [...rows, whole]);
}
