import { formatNumber, markdownTable, readSnapshot } from "../results.ts";

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

/** What is measured, as the page names it. */
const rows: [name: string, value: (figures: IndexFigures) => Compared][] = [
  ["Indexing the past, events a second", ({ backfill }) => backfill],
  ["Restart until `/ready`, s", ({ restart }) => restart],
  ["Lag behind a receipt, p50, ms", ({ lagP50 }) => lagP50],
  ["Lag behind a receipt, p95, ms", ({ lagP95 }) => lagP95],
];

/** The committed figures of `pnpm bench:index`, in Markdown. */
export async function renderIndexFigures(): Promise<string> {
  const { services, events, lagSamples, machine, loadBefore, databases } =
    await readSnapshot<IndexSnapshot>("index");
  const lines = databases.flatMap((figures) =>
    rows.map(([name, value]) => {
      const { indexer, bare } = value(figures);
      return [figures.database, name, formatNumber(indexer), formatNumber(bare), (indexer / bare).toFixed(2)];
    }),
  );
  const toSearch = databases.map(
    ({ database, restartToSearch }) => `${formatNumber(restartToSearch)} s on ${database}`,
  );
  const counts = [services, events, lagSamples].map(formatNumber);
  return [
    markdownTable(["Database", "", "Indexer:", "Bare Ponder:", "Ratio:"], lines),
    "",
    `Measured with ${counts[0]} services (${counts[1]} events), and ${counts[2]} more for the lag,`,
    `on ${machine}, with a load average of ${loadBefore} before the run. After a restart, \`/search\` answers after ${toSearch.join(" and ")}.`,
  ].join("\n");
}
