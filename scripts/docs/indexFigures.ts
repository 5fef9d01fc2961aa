import { type Compared, type IndexFigures, readIndexSnapshot } from "../bench/indexer/snapshot.ts";

/** What is measured, as the page names it. */
const rows: [name: string, value: (figures: IndexFigures) => Compared][] = [
  ["Indexing the past, events a second", ({ backfill }) => backfill],
  ["Restart until `/ready`, s", ({ restart }) => restart],
  ["Lag behind a receipt, p50, ms", ({ lagP50 }) => lagP50],
  ["Lag behind a receipt, p95, ms", ({ lagP95 }) => lagP95],
];

const number = (value: number) => value.toLocaleString("en-US");

/** The committed figures of `pnpm bench:index`, in Markdown. */
export async function renderIndexFigures(): Promise<string> {
  const { services, events, lagSamples, machine, loadBefore, databases } = await readIndexSnapshot();
  const lines = databases.flatMap((figures) =>
    rows.map(([name, value]) => {
      const { indexer, bare } = value(figures);
      const cells = [number(indexer), number(bare), (indexer / bare).toFixed(2)];
      return `| ${figures.database} | ${name} | ${cells.join(" | ")} |`;
    }),
  );
  const toSearch = databases.map(
    ({ database, restartToSearch }) => `${number(restartToSearch)} s on ${database}`,
  );
  return [
    "| Database | | Indexer | Bare Ponder | Ratio |",
    "|---|---|---:|---:|---:|",
    ...lines,
    "",
    `Measured with ${number(services)} services (${number(events)} events), and ${number(lagSamples)} more for the lag,`,
    `on ${machine}, with a load average of ${loadBefore} before the run. After a restart, \`/search\` answers after ${toSearch.join(" and ")}.`,
  ].join("\n");
}
