import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type Chain, startChain, stopAll } from "../../apps/indexer/test/harness/stack.ts";
import { type PostgresServer, startPostgres } from "../../packages/sdk/test/support/postgres.ts";
import startServers from "../../packages/sdk/test/support/servers.ts";
import { answers } from "../../scripts/stack/processes.ts";
import { percentile, writeResults, writeSnapshot } from "../results.ts";
import type { Compared, IndexFigures, IndexSnapshot } from "./figures.ts";
import { type App, measureLag, type Ponder, readBackfill, startPonder } from "./ponder.ts";
import { publishServices } from "./services.ts";

/**
 * `pnpm bench:index [--services 10000] [--samples 60] [--update]`: how fast the index is built, restarts and follows the
 * chain, on PGlite and on PostgreSQL, each beside Ponder with handlers that do nothing on the same events. Writes
 * bench/results/index.json; `--update` makes the figures those of docs/indexer.md.
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    services: { type: "string", default: "10000" },
    samples: { type: "string", default: "60" },
    update: { type: "boolean", default: false },
  },
});
const services = Number(values.services);
const samples = Number(values.samples);

const loadBefore = Number((loadavg()[0] ?? 0).toFixed(1));
const startedAt = Date.now();
const progress = (message: string) =>
  console.log(`${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${message}`);
const round = (value: number, digits: number) => Number(value.toFixed(digits));
const compare = (indexer: number, bare: number, digits: number): Compared => ({
  indexer: round(indexer, digits),
  bare: round(bare, digits),
});

/** Indexes everything, ends and starts again; what stays is the restarted process. */
async function measureStarts(app: App, chain: Chain, databaseUrl: string) {
  const first = await startPonder(app, chain, databaseUrl);
  const { milliseconds, events } = await readBackfill(first);
  await first.service.stop();
  const again = performance.now();
  const ponder: Ponder = await startPonder(app, chain, databaseUrl);
  while (app === "indexer" && !(await answers(`${ponder.url}/search?limit=1`))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const toSearch = (performance.now() - again) / 1_000;
  return {
    ponder,
    rate: events / (milliseconds / 1_000),
    events,
    restart: ponder.readyAfter / 1_000,
    toSearch,
  };
}

async function measureDatabase(
  chain: Chain,
  database: IndexFigures["database"],
  { databaseUrl, first }: { databaseUrl: string; first: number },
): Promise<{ figures: IndexFigures; events: number }> {
  progress(`${database}: bare Ponder indexes and restarts`);
  const bare = await measureStarts("bare", chain, databaseUrl);
  progress(`${database}: the indexer indexes and restarts`);
  const indexer = await measureStarts("indexer", chain, databaseUrl);
  if (indexer.events !== bare.events) throw new Error(`${indexer.events} events are not ${bare.events}.`);
  progress(`${database}: ${samples} services, one after another`);
  const lags = await measureLag(chain, { indexer: indexer.ponder, bare: bare.ponder, first, count: samples });
  await indexer.ponder.service.stop();
  await bare.ponder.service.stop();
  const lag = (share: number) => compare(percentile(lags.indexer, share), percentile(lags.bare, share), 0);
  const figures = {
    database,
    backfill: compare(indexer.rate, bare.rate, 0),
    restart: compare(indexer.restart, bare.restart, 1),
    restartToSearch: round(indexer.toSearch, 1),
    lagP50: lag(0.5),
    lagP95: lag(0.95),
  };
  return { figures, events: indexer.events };
}

async function measure(chain: Chain, server: PostgresServer): Promise<IndexSnapshot> {
  progress(`Registering ${services} services`);
  await publishServices(chain, services);
  const pglite = await measureDatabase(chain, "PGlite", { databaseUrl: "", first: services });
  const postgres = await measureDatabase(chain, "PostgreSQL", {
    databaseUrl: server.url,
    first: services + samples,
  });
  return {
    services,
    events: pglite.events,
    lagSamples: samples,
    machine: `${cpus().length} cores, Node ${process.versions.node}`,
    loadBefore,
    databases: [pglite.figures, postgres.figures],
  };
}

const stopServers = await startServers();
let chain: Chain | undefined;
let server: PostgresServer | undefined;
try {
  progress("Starting a chain and a PostgreSQL");
  [chain, server] = await Promise.all([startChain(), startPostgres()]);
  const result = await measure(chain, server);
  console.table(
    Object.fromEntries(
      result.databases.map(({ database, ...figures }) => [
        database,
        Object.fromEntries(
          Object.entries(figures).map(([name, value]) => [
            name,
            typeof value === "number" ? value : `${value.indexer} (bare ${value.bare})`,
          ]),
        ),
      ]),
    ),
  );
  await writeResults("index", result);
  if (values.update) {
    await writeSnapshot("index", result);
    console.log("Run node scripts/generate-docs.ts to update docs/indexer.md");
  }
} finally {
  await stopAll(chain);
  await server?.stop();
  await stopServers();
}
process.exit(0);
