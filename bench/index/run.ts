import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { startPostgres } from "@app-registry/test-kit/postgres";
import { stopServices } from "../../scripts/stack/processes.ts";
import { publishRecords, type Registry } from "../publish.ts";
import { percentile, writeResults, writeSnapshot } from "../results.ts";
import { type Chain, type Database, newDirectory, startChain } from "../stack.ts";
import { measureLag, measureStarts } from "./ponder.ts";
import { type Comparison, formatIndexFigures, type IndexFigures, type IndexSnapshot } from "./results.ts";

/**
 * `pnpm bench:index [--services 10000] [--samples 60] [--update]`: how fast the index is built, restarts and follows the
 * chain, on PGlite and on PostgreSQL, each beside Ponder with handlers that do nothing on the same events. Writes
 * bench/results/index.json; `--update` makes the figures those of docs/performance.md.
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
const round = (value: number, digits: number) => Number(value.toFixed(digits));
const compare = (indexer: number, bare: number, digits: number): Comparison => ({
  indexer: round(indexer, digits),
  bare: round(bare, digits),
});

type Databases = Record<"indexer" | "bare", Database>;

/** Measures one database. `first` is the index of the next service to register. */
async function measureDatabase(
  name: IndexFigures["database"],
  databases: Databases,
  { chain, registry, first }: { chain: Chain; registry: Registry; first: number },
): Promise<IndexFigures & { events: number }> {
  console.log(`${name}: bare Ponder indexes and restarts`);
  const bare = await measureStarts("bare", chain, databases.bare);
  console.log(`${name}: the indexer indexes and restarts`);
  const indexer = await measureStarts("indexer", chain, databases.indexer);
  if (indexer.events !== bare.events)
    throw new Error(`The indexer found ${indexer.events} events, bare Ponder ${bare.events}.`);
  console.log(`${name}: ${samples} services, one after another`);
  const lags = await measureLag(registry, {
    indexer: indexer.ponder,
    bare: bare.ponder,
    first,
    count: samples,
  });
  await indexer.ponder.stop();
  await bare.ponder.stop();
  const lag = (share: number) => compare(percentile(lags.indexer, share), percentile(lags.bare, share), 0);
  return {
    ...{ database: name, events: indexer.events },
    backfill: compare(indexer.rate, bare.rate, 0),
    restart: compare(indexer.restart, bare.restart, 1),
    restartToSearch: round(indexer.toSearch, 1),
    lagP50: lag(0.5),
    lagP95: lag(0.95),
  };
}

const server = await startPostgres();
try {
  const chain = await startChain();
  const registry = await publishRecords(chain, services);
  const embedded = {
    indexer: { PGLITE_DIR: await newDirectory() },
    bare: { PGLITE_DIR: await newDirectory() },
  };
  const { events, ...pglite } = await measureDatabase("PGlite", embedded, {
    chain,
    registry,
    first: services,
  });
  const shared = { indexer: { DATABASE_URL: server.url }, bare: { DATABASE_URL: server.url } };
  const { events: _, ...postgres } = await measureDatabase("PostgreSQL", shared, {
    ...{ chain, registry, first: services + samples },
  });
  const result: IndexSnapshot = {
    ...{ services, events, lagSamples: samples, loadBefore },
    machine: `${cpus().length} cores, Node ${process.versions.node}`,
    databases: [pglite, postgres],
  };
  console.log(formatIndexFigures(result));
  await writeResults("index", result);
  if (values.update) {
    await writeSnapshot("index", result);
    console.log("Run node scripts/generate-docs.ts to update docs/performance.md");
  }
} finally {
  await stopServices();
  await server.stop();
}
process.exit(0);
