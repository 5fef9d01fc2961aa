import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import {
  answers,
  readMemory,
  type Service,
  stopServices,
  waitUntilReady,
} from "../../scripts/stack/processes.ts";
import { measureInTurn } from "../load.ts";
import { formatNumber, writeResults, writeSnapshot } from "../results.ts";
import { buildWeb, startBare, startChain, startDatabase, startIndexer, startWeb } from "../stack.ts";
import { type Place, prepareDatabase } from "./databases.ts";
import { formatResults, type SearchResults } from "./report.ts";
import { listBareSubjects, makeSubjects } from "./requests.ts";

/**
 * `pnpm bench:search`: Loads registries of several sizes into PGlite and PostgreSQL and measures GET /api/search, on
 * PostgreSQL beside a bare server with one SQL query per search. Writes bench/results/search.json. Exits with 1 if a
 * target is missed or a search fails. Loaded databases stay in bench/.cache for the next run.
 *
 *   --backend pglite --n 10000   only one database and size
 *   --connections 16             number of connections
 *   --load                       only loads the databases again, which does not need an idle machine
 *   --seconds 4                  duration of each search
 *   --skip-build                 reuses the web app's previous build
 *   --update                     writes the snapshot
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    backend: { type: "string" },
    n: { type: "string" },
    connections: { type: "string", default: "16" },
    load: { type: "boolean", default: false },
    seconds: { type: "string", default: "8" },
    "skip-build": { type: "boolean", default: false },
    update: { type: "boolean", default: false },
  },
});

const sizes = { pglite: [100_000], postgres: [100_000, 1_000_000] };
const seconds = Number(values.seconds);
const connections = Number(values.connections);

const places = (Object.keys(sizes) as Place["backend"][])
  .filter((backend) => !values.backend || values.backend === backend)
  .flatMap((backend) =>
    (values.n ? values.n.split(",").map(Number) : sizes[backend]).map((count): Place => ({ backend, count })),
  );
if (places.length === 0 || places.some(({ count }) => !(count >= 100))) {
  throw new Error("--backend must be pglite or postgres, and --n at least 100 records.");
}

/** Starts the processes that answer searches over a database. PostgreSQL has a reader and the bare server. */
async function startPlace(place: Place) {
  const chain = await startChain();
  const directory = await prepareDatabase(place, chain);
  const server = place.backend === "postgres" ? await startDatabase(directory) : undefined;
  const database = server ? { DATABASE_URL: server.url } : { PGLITE_DIR: directory };
  const indexer = await startIndexer(chain, database);
  const index = server ? await startIndexer(chain, database, { command: "serve" }) : indexer;
  await waitUntilReady(index, () => answers(`${index.url}/search`));
  const services: Record<string, Service> = { web: await startWeb(chain, index.url), index };
  const bare = server && (await startBare(server.url));
  const processes = Object.fromEntries(
    Object.entries(services).map(([name, { processId }]) => [name, processId]),
  );
  return {
    services,
    bare,
    processes: { ...processes, ...(server && { database: await server.processId() }) },
    stop: () => stopServices().finally(() => server?.stop()),
  };
}

async function measureAll(): Promise<void> {
  if (!values["skip-build"]) await buildWeb();
  const loadBefore = Number((loadavg()[0] ?? 0).toFixed(1));
  const results: SearchResults = { loadBefore, connections, figures: [], memory: [] };
  for (const { backend, count: N } of places) {
    const { services, bare, processes, stop } = await startPlace({ backend, count: N });
    const subjects = await makeSubjects(N, services.web?.url ?? "");
    const onProgress = (message: string) => console.log(`${backend} ${formatNumber(N)}: ${message}`);
    const all = [...subjects, ...(bare ? listBareSubjects(subjects, bare.url) : [])];
    const measured = await measureInTurn(all, { connections, seconds, processes, onProgress });
    const find = (name: string) => measured.find((figure) => figure.name === name);
    for (const { name } of subjects) {
      const figure = find(name);
      if (figure) results.figures.push({ backend, N, ...figure, bare: find(`bare ${name}`) });
    }
    if (measured.length < all.length) process.exitCode = 1;
    for (const [name, service] of Object.entries(services)) {
      results.memory.push({ backend, N, process: name, ...(await readMemory(service)) });
    }
    await stop();
    // Save the results now, so that a later failure does not lose them.
    await writeResults("search", results);
  }
  const tables = formatResults(results);
  console.log(`\n${tables}\n`);
  if (tables.includes("| missed |")) process.exitCode = 1;
  if (values.update) {
    await writeSnapshot("search", results);
    console.log("Run node scripts/generate-docs.ts to update docs/performance.md");
  }
}

try {
  if (values.load) {
    const chain = await startChain();
    for (const place of places) await prepareDatabase(place, chain, { isNew: true });
  } else await measureAll();
} finally {
  await stopServices();
}
