import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openIndex } from "@app-registry/index/openIndex";
import { search } from "@app-registry/index/search/search";
import { LOCAL_CHAIN_ID, parseSearchQuery } from "@app-registry/sdk";
import { type Service, stopServices } from "../../scripts/stack/processes.ts";
import { recordAt } from "../records.ts";
import { percentile, writeResults } from "../results.ts";
import { startChain, startDatabase, startIndexer } from "../stack.ts";
import { publishRecords } from "./publish.ts";

/**
 * `pnpm bench:index [--services 10000] [--update]`: Measures how fast the index is built, restarts and
 * follows the chain, on PostgreSQL. Writes bench/results/index.json; `--update` also writes the snapshot.
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    services: { type: "string", default: "10000" },
    update: { type: "boolean", default: false },
  },
});
const services = Number(values.services);
/** Number of services that measure the lag. */
const samples = 60;

export interface IndexFigures {
  services: number;
  events: number;
  lagSamples: number;
  /** Events per second while past blocks are indexed. */
  backfill: number;
  /** Seconds from the start of the process to `/ready`, with a complete index. */
  restart: number;
  /** Milliseconds from a receipt to the first response that includes it, with blocks of one second. */
  lagP50: number;
  lagP95: number;
}

/** Calls `isTrue` every 20 ms until it returns true. @throws Error after 30 seconds */
async function untilTrue(isTrue: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await isTrue()); ) {
    if (Date.now() > deadline) throw new Error("Timed out after 30 s.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

type LogLine = { msg: string; duration?: number; event_count?: number };

/** Reads the number of past events and the indexing rate (events per second) from the log. */
async function readBackfill({ logFile }: Service): Promise<{ events: number; backfill: number }> {
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
  return { events, backfill: Math.round(events / ((done() ?? 0) / 1_000)) };
}

/** Registers services in blocks of one second. Returns the milliseconds from each receipt until a search finds it. */
async function measureLag(
  { chain, attest, mint }: Awaited<ReturnType<typeof publishRecords>>,
  databaseUrl: string,
): Promise<number[]> {
  const opened = openIndex({ databaseUrl, schema: "app_registry", chainId: LOCAL_CHAIN_ID });
  await chain.setIntervalMining({ interval: 1 });
  const lags: number[] = [];
  for (let index = services; index < services + samples; index++) {
    const record = recordAt(index);
    await chain.waitForTransactionReceipt({ hash: await attest([record]) });
    const [hash = "0x"] = await mint([record]);
    await chain.waitForTransactionReceipt({ hash });
    const minedAt = performance.now();
    const query = parseSearchQuery({ did: record.did });
    await untilTrue(() =>
      opened.read(async (session, { block = 0 }) => (await search(session, query, block)).results.length > 0),
    );
    lags.push(performance.now() - minedAt);
  }
  return lags;
}

const server = await startDatabase(await mkdtemp(join(tmpdir(), "registry-bench-")));
try {
  const chain = await startChain();
  const registry = await publishRecords(chain, services);
  const start = () => startIndexer(chain, server.url, ["--log-format", "json"]);
  const first = await start();
  const backfill = await readBackfill(first);
  await first.stop();
  const restartedAt = performance.now();
  await start();
  const restart = Math.round((performance.now() - restartedAt) / 100) / 10;
  const lags = await measureLag(registry, server.url);
  const [lagP50 = 0, lagP95 = 0] = [0.5, 0.95].map((share) => Math.round(percentile(lags, share)));
  const figures: IndexFigures = { services, ...backfill, lagSamples: samples, restart, lagP50, lagP95 };
  console.table(figures);
  await writeResults("index", figures, values.update);
} finally {
  await stopServices();
  await server.stop();
}
process.exit(0);
