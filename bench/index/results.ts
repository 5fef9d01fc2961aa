import { formatNumber, markdownTable } from "../results.ts";

/** Figure of the indexer, and that of Ponder with empty handlers in the same run. */
export type Comparison = { indexer: number; bare: number };

/** Figures of `pnpm bench:index` on one database. */
export type IndexFigures = {
  database: "PGlite" | "PostgreSQL";
  /** Events per second while past blocks are indexed. */
  backfill: Comparison;
  /** Seconds from the start of the process to `/ready`, with a complete index. */
  restart: Comparison;
  /** Seconds to the first answer of `/search`. */
  restartToSearch: number;
  /** Milliseconds from a receipt to the first response that includes it, with blocks of one second. */
  lagP50: Comparison;
  lagP95: Comparison;
};

/** Figures of a run. */
export type IndexSnapshot = {
  services: number;
  events: number;
  lagSamples: number;
  machine: string;
  /** Load average of the machine before the run. Near 0 on an idle machine. */
  loadBefore: number;
  databases: IndexFigures[];
};

/** Formats the figures of a run in Markdown. */
export function formatIndexFigures(snapshot: IndexSnapshot): string {
  const { databases, machine, loadBefore } = snapshot;
  const lines = databases.flatMap(({ database, backfill, restart, lagP50, lagP95 }) =>
    Object.entries({
      "Indexing the past, events a second": backfill,
      "Restart until `/ready`, s": restart,
      "Lag behind a receipt, p50, ms": lagP50,
      "Lag behind a receipt, p95, ms": lagP95,
    }).map(([name, { indexer, bare }]) => [
      ...[database, name, formatNumber(indexer), formatNumber(bare), (indexer / bare).toFixed(2)],
    ]),
  );
  const toSearch = databases.map(
    ({ database, restartToSearch }) => `${formatNumber(restartToSearch)} s on ${database}`,
  );
  const counts = [snapshot.services, snapshot.events, snapshot.lagSamples].map(formatNumber);
  return [
    markdownTable(["Database", "", "Indexer:", "Bare Ponder:", "Ratio:"], lines),
    "",
    `Measured with ${counts[0]} services (${counts[1]} events), and ${counts[2]} more for the lag,`,
    `on ${machine}, with a load average of ${loadBefore} before the run. After a restart, \`/search\` answers after ${toSearch.join(" and ")}.`,
  ].join("\n");
}
