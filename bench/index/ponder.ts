import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { answers, rootDirectory, type Service } from "../../scripts/stack/processes.ts";
import { type Registry, untilTrue } from "../publish.ts";
import { recordAt } from "../search/data/records.ts";
import { type Chain, type Database, startIndexer } from "../stack.ts";

/** Measured program: the project's indexer, or Ponder with empty handlers. */
export type App = "indexer" | "bare";

/** Starts `ponder start` on a database, in a new schema, and waits until it is ready. */
const startPonder = (app: App, chain: Chain, database: Database): Promise<Service> =>
  startIndexer(chain, database, {
    schema: `bench_${app}`,
    parameters: [
      ...["--log-format", "json"],
      ...(app === "bare" ? ["--root", join(rootDirectory, "bench/index/baseline")] : []),
    ],
  });

type LogLine = { msg: string; duration?: number; event_count?: number };

/** Reads the number of past events and the indexing rate (events per second) from the log. */
async function readBackfill({ logFile }: Service): Promise<{ events: number; rate: number }> {
  let lines: LogLine[] = [];
  const done = () => lines.find(({ msg }) => msg.startsWith("Completed backfill indexing"))?.duration;
  // Ponder writes the log shortly after `/ready` succeeds.
  await untilTrue(async () => {
    const log = (await readFile(logFile, "utf8")).split("\n");
    lines = log.filter((line) => line.startsWith("{") && line.endsWith("}")).map((line) => JSON.parse(line));
    return done() !== undefined;
  });
  const ranges = lines.filter(({ msg }) => msg === "Indexed block range");
  const events = ranges.reduce((sum, { event_count = 0 }) => sum + event_count, 0);
  return { events, rate: events / ((done() ?? 0) / 1_000) };
}

/** Indexes all events, stops and restarts. `ponder` is the restarted process. Times are in seconds. */
export async function measureStarts(app: App, chain: Chain, database: Database) {
  const first = await startPonder(app, chain, database);
  const backfill = await readBackfill(first);
  await first.stop();
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const ponder = await startPonder(app, chain, database);
  const restart = seconds();
  if (app === "indexer") await untilTrue(() => answers(`${ponder.url}/search?limit=1`));
  return { ponder, ...backfill, restart, toSearch: seconds() };
}

const answer = async (url: string) => (await (await fetch(url)).json()) as unknown;

/**
 * Registers the services `first` to `first + count - 1` in blocks of one second. Measures the milliseconds from each
 * receipt until the indexer's search finds the service, and until bare Ponder reports its block.
 */
export async function measureLag(
  { chain, attest, mint }: Registry,
  { indexer, bare, first, count }: { indexer: Service; bare: Service; first: number; count: number },
): Promise<Record<App, number[]>> {
  await chain.setIntervalMining({ interval: 1 });
  const records = Array.from({ length: count }, (_, place) => recordAt(first + place));
  for (const hash of await attest(records)) await chain.waitForTransactionReceipt({ hash });

  const lags: Record<App, number[]> = { indexer: [], bare: [] };
  for (const record of records) {
    // Vary the delay, so that registrations are not synchronised with the blocks.
    await new Promise((resolve) => setTimeout(resolve, (record.tokenId * 137) % 1_000));
    const [hash = "0x"] = await mint([record]);
    const { blockNumber } = await chain.waitForTransactionReceipt({ hash });
    const minedAt = performance.now();
    const measure = (app: App, isThere: () => Promise<boolean>) =>
      untilTrue(isThere).then(() => lags[app].push(performance.now() - minedAt));
    await Promise.all([
      measure("indexer", async () => {
        const page = await answer(`${indexer.url}/search?did=${encodeURIComponent(record.did)}`);
        return (page as { results: { tokenId: string }[] }).results.some(
          ({ tokenId }) => tokenId === String(record.tokenId),
        );
      }),
      measure("bare", async () => {
        const status = (await answer(`${bare.url}/status`)) as { chain?: { block: { number: number } } };
        return Number(status.chain?.block.number) >= blockNumber;
      }),
    ]);
  }
  await chain.setIntervalMining({ interval: 0 });
  return lags;
}
