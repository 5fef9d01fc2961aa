import { join } from "node:path";
import { parseArgs } from "node:util";
import getPort from "get-port";
import { rootDirectory, stopServices } from "../../scripts/stack/processes.ts";
import { type Figure, measureInTurn } from "../load.ts";
import { writeResults } from "../results.ts";
import { buildWeb, startChain, startDatabase, startIndexer, startProgram, startWeb } from "../stack.ts";
import { prepareDatabase } from "./database.ts";
import { listBareSubjects, makeSubjects } from "./requests.ts";

/**
 * `pnpm bench:search`: Loads registries into PostgreSQL and measures GET /api/search beside a bare server with one SQL
 * query per search. Writes bench/results/search.json. Loaded databases stay in bench/.cache for the next run.
 *
 *   --n 10000           number of records; default 100,000 and 1,000,000
 *   --seconds 8         duration of each search
 *   --skip-build        reuses the web app's previous build
 *   --update            writes the snapshot
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    n: { type: "string", default: "100000,1000000" },
    seconds: { type: "string", default: "8" },
    "skip-build": { type: "boolean", default: false },
    update: { type: "boolean", default: false },
  },
});

/** Figure of a search in a registry with `records` records, and that of the bare server for the same searches. */
export type SearchFigure = Figure & { records: number; bare?: Figure | undefined };

const seconds = Number(values.seconds);

async function measure(records: number): Promise<SearchFigure[]> {
  const chain = await startChain();
  const server = await startDatabase(await prepareDatabase(records, chain));
  try {
    await startIndexer(chain, server.url);
    const web = await startWeb(chain, server.url);
    const port = await getPort();
    const bareProgram = {
      command: [process.execPath, join(rootDirectory, "bench/search/bare.ts")],
      url: `http://localhost:${port}`,
    };
    const bare = await startProgram("bare", bareProgram, "/", { PORT: `${port}`, DATABASE_URL: server.url });
    const subjects = await makeSubjects(records, web.url);
    const figures = await measureInTurn(subjects, seconds);
    // Measure the bare server afterwards: the queries of its last, broken-off searches keep PostgreSQL busy.
    const bareFigures = await measureInTurn(listBareSubjects(subjects, bare.url), seconds);
    return figures.map((figure) => ({
      ...{ records, ...figure },
      bare: bareFigures.find(({ name }) => name === `bare ${figure.name}`),
    }));
  } finally {
    await stopServices();
    await server.stop();
  }
}

try {
  if (!values["skip-build"]) await buildWeb();
  const figures: SearchFigure[] = [];
  for (const records of values.n.split(",").map(Number)) figures.push(...(await measure(records)));
  console.table(
    figures.map(({ bare, ...figure }) => ({ ...figure, bare_rps: bare?.rps, bare_p95_ms: bare?.p95_ms })),
  );
  await writeResults("search", figures, values.update);
} finally {
  await stopServices();
}
