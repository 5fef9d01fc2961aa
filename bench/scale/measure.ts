import { availableParallelism, loadavg } from "node:os";
import { Client } from "pg";
import type { Server } from "../../scripts/stack/chain.ts";
import { processesOf, processTree, usageOf } from "../../scripts/stack/processTree.ts";
import { percentile } from "../results.ts";
import { Random } from "../search/data/random.ts";
import { prepareDatabase } from "../search/databases.ts";
import { generateLoad } from "../search/loadGenerator.ts";
import { makeRequests } from "../search/requests.ts";
import { startChain, startDatabase, startIndexer, startWeb } from "../search/servers.ts";
import type { ScaleFigure, ScaleResults } from "./report.ts";

interface ScaleParameters {
  count: number;
  seconds: number;
  connections: number;
  onProgress: (message: string) => void;
}

/** Every number of processes takes its turn in each round, so that a disturbance of the machine meets all of them. */
const ROUNDS = 4;
const READERS = [1, 2, 4];
const WEBS = [1, 2, 3];
/** Readers behind the web processes. */
const READERS_OF_WEBS = 2;

type Busy = ScaleFigure["cores"];
type Measured = { latencies: number[]; seconds: number; cpu: Busy };

/** Loads a database unless an earlier run did, and measures both layers over it. */
export async function measureScale(parameters: ScaleParameters): Promise<ScaleResults> {
  const { count, connections, onProgress } = parameters;
  const loadBefore = loadavg()[0] ?? 0;
  const chain = await startChain();
  const directory = await prepareDatabase({ backend: "postgres", count }, chain, onProgress);
  const database = await startDatabase(directory);
  onProgress("Starting the processes");
  const options = { chain, database: { DATABASE_URL: database.url } };
  const writer = await startIndexer(options);
  const readers = await Promise.all(
    Array.from({ length: Math.max(...READERS) }, () => startIndexer({ ...options, command: "serve" })),
  );
  const sizes = await settleAndMeasure(database.url);
  const behind = readers.slice(0, READERS_OF_WEBS).map(({ url }) => url);
  const webs: Server[] = [];
  for (let index = 0; index < Math.max(...WEBS); index++) {
    const order = [...behind.slice(index % behind.length), ...behind.slice(0, index % behind.length)];
    webs.push(await startWeb(chain, order.join(",")));
  }
  const requests = await makeRequests(count, webs[0]?.url ?? "");
  const paths = new Random(7).shuffled([
    ...requests["trait-interface"],
    ...requests.text,
    ...requests.newest,
  ]);

  const cpuOf = async (): Promise<Busy> => {
    const { user, system } = process.cpuUsage();
    const ids = await Promise.all([...readers, writer].map(({ service }) => processesOf(service)));
    const webIds = await Promise.all(webs.map(({ service }) => processesOf(service)));
    const cpu = async (all: readonly number[]) => (await usageOf(all))?.cpu ?? 0;
    return {
      generator: (user + system) / 1e6,
      postgres: await cpu(await processTree(await database.processId())),
      readers: await cpu(ids.flat()),
      web: await cpu(webIds.flat()),
    };
  };
  const measure = async (
    servers: readonly Server[],
    all: readonly string[],
    seconds: number,
  ): Promise<Measured> => {
    const before = await cpuOf();
    const samples = await Promise.all(
      servers.map(({ url }, index) =>
        generateLoad({
          url,
          paths: [...all.slice(index * 101), ...all.slice(0, index * 101)],
          connections: Math.round(connections / servers.length),
          seconds,
          isExpected: (body) => body.startsWith('{"results":[{"') && body.includes('"source":"index"'),
        }),
      ),
    );
    const after = await cpuOf();
    return {
      latencies: samples.flatMap(({ latencies }) => latencies),
      seconds: Math.max(...samples.map(({ milliseconds }) => milliseconds)) / 1_000,
      cpu: mapBusy(after, (part) => after[part] - before[part]),
    };
  };

  const layers = [
    {
      layer: "readers" as const,
      servers: readers,
      numbers: READERS,
      all: paths.map((path) => path.replace("/api", "")),
    },
    { layer: "web" as const, servers: webs, numbers: WEBS, all: paths },
  ];
  const figures: ScaleFigure[] = [];
  for (const { layer, servers, numbers, all } of layers) {
    for (const server of servers) await measure([server], all, 1);
    const measured = new Map<number, Measured[]>(numbers.map((processes) => [processes, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const processes of numbers) {
        const turn = await measure(servers.slice(0, processes), all, parameters.seconds / ROUNDS);
        measured.get(processes)?.push(turn);
      }
    }
    let one = 0;
    for (const [processes, turns] of measured) {
      const figure = figureOf(turns);
      if (processes === 1) one = figure.rps;
      figures.push({ layer, processes, ...figure, ratio: figure.rps / one });
      onProgress(`${processes} ${layer}: ${figure.rps.toFixed(0)} searches a second`);
    }
  }
  return { records: count, connections, cores: availableParallelism(), loadBefore, ...sizes, figures };
}

function figureOf(turns: readonly Measured[]): Pick<ScaleFigure, "rps" | "p95_ms" | "cores"> {
  const seconds = turns.reduce((sum, turn) => sum + turn.seconds, 0);
  const latencies = turns.flatMap((turn) => turn.latencies);
  const total = (part: keyof Busy) => turns.reduce((sum, { cpu }) => sum + cpu[part], 0);
  return {
    rps: latencies.length / seconds,
    p95_ms: percentile(latencies, 0.95),
    cores: mapBusy(turns[0]?.cpu as Busy, (part) => total(part) / seconds),
  };
}

const mapBusy = (busy: Busy, value: (part: keyof Busy) => number): Busy =>
  Object.fromEntries((Object.keys(busy) as (keyof Busy)[]).map((part) => [part, value(part)])) as Busy;

/** Does what autovacuum would do during the measurement, and says how much room the tables take. */
async function settleAndMeasure(url: string): Promise<Pick<ScaleResults, "databaseBytes" | "tableBytes">> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("vacuum (analyze)");
  await client.query("checkpoint");
  const { rows } = await client.query(
    `select relname, pg_total_relation_size(oid)::float8 as bytes from pg_class
     where relkind = 'r' and relnamespace = 'app_registry'::regnamespace order by 2 desc limit 8`,
  );
  const [size] = (await client.query("select pg_database_size(current_database())::float8 as bytes")).rows;
  await client.end();
  const tableBytes = Object.fromEntries(rows.map(({ relname, bytes }) => [relname, bytes]));
  return { databaseBytes: size.bytes, tableBytes };
}
