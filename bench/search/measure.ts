import type { Server } from "../../scripts/stack/chain.ts";
import type { IndexerParameters } from "../../scripts/stack/indexer.ts";
import type { Service } from "../../scripts/stack/processes.ts";
import { percentile } from "../results.ts";
import { type Backend, prepareDatabase, withPostgres } from "./databases.ts";
import { generateLoad, type Samples } from "./loadGenerator.ts";
import type { SearchFigure } from "./report.ts";
import { makeRequests, type QueryName, queryNames } from "./requests.ts";
import { type Chain, type Memory, memoryOf, startDatabase, startIndexer, startWeb } from "./servers.ts";

interface MeasureParameters {
  backend: Backend;
  count: number;
  chain: Chain;
  connections: readonly number[];
  /** Seconds of each query at each number of connections, warm-up aside. */
  seconds: number;
  onProgress: (message: string) => void;
}

interface Measured {
  figures: SearchFigure[];
  /** Of the process that answers searches; null where the system does not say. */
  indexerMemory: Memory | null;
}

/** Loads a database unless an earlier run did, starts the indexer and the web app over it, and measures searches. */
export async function measureBackend(parameters: MeasureParameters): Promise<Measured> {
  const { backend, count, chain, onProgress } = parameters;
  const directory = await prepareDatabase({ backend, count }, chain, onProgress);
  const database = backend === "postgres" ? await startDatabase(directory) : null;
  const services: Service[] = [];
  try {
    onProgress("the indexer starts and makes its indexes");
    const indexer = await startIndexers(
      chain,
      database ? { DATABASE_URL: database.url } : { PGLITE_DIR: directory },
      services,
    );
    if (database) await settle(database.url);
    const web = await startWeb(chain, indexer.url);
    services.push(web.service);
    const requests = await makeRequests(count, web.url);
    const figures = await measureSearch(web.url, requests, parameters);
    return {
      figures: figures.map((figure) => ({ backend, N: count, ...figure })),
      indexerMemory: await memoryOf(indexer.service),
    };
  } finally {
    for (const service of services.reverse()) await service.stop();
    await database?.stop();
  }
}

/** Starts an indexer and, on PostgreSQL, a separate reader that answers searches. Returns the one that answers. */
async function startIndexers(
  chain: Chain,
  database: IndexerParameters["database"],
  services: Service[],
): Promise<Server> {
  const indexer = await startIndexer({ chain, database });
  services.push(indexer.service);
  if ("PGLITE_DIR" in database) return indexer;
  const reader = await startIndexer({ chain, database, command: "serve" });
  services.push(reader.service);
  return reader;
}

/** Does now what PostgreSQL's autovacuum would do during the measurement. */
const settle = (url: string) =>
  withPostgres(url, async (database) => {
    await database.query("vacuum (analyze)");
    await database.query("checkpoint");
  });

/** Rounds in which every query takes its turn, so that a disturbance of the machine meets all of them. */
const ROUNDS = 4;
const WARM_UP_SECONDS = 1;

/**
 * Measures every query at each number of connections, round by round. A query has no figure where an answer is not the
 * index's or finds nothing.
 */
async function measureSearch(
  url: string,
  requests: Record<QueryName, readonly string[]>,
  { connections, seconds, onProgress }: MeasureParameters,
): Promise<Omit<SearchFigure, "backend" | "N">[]> {
  const figures: Omit<SearchFigure, "backend" | "N">[] = [];
  for (const count of connections) {
    const samples = new Map<QueryName, Samples>();
    const refused = new Set<QueryName>();
    for (let round = 0; round <= ROUNDS; round++) {
      for (const query of queryNames.filter((name) => !refused.has(name))) {
        try {
          const measured = await generateLoad({
            url,
            paths: startAt(requests[query], round),
            connections: count,
            seconds: round === 0 ? Math.min(WARM_UP_SECONDS, seconds) : seconds / ROUNDS,
            isExpected: query === "floor" ? isHealthy : isPage,
          });
          if (round > 0) samples.set(query, join(samples.get(query), measured));
        } catch (error) {
          onProgress(`${query} at ${count} is not measured: ${(error as Error).message}`);
          refused.add(query);
          samples.delete(query);
        }
      }
    }
    for (const [query, { latencies, milliseconds }] of samples) {
      if (latencies.length === 0) {
        onProgress(`${query} at ${count} is not measured: no answer came within its time`);
        continue;
      }
      const rounded = (value: number) => Math.round(value * 100) / 100;
      const figure = {
        query,
        connections: count,
        p50_ms: rounded(percentile(latencies, 0.5)),
        p95_ms: rounded(percentile(latencies, 0.95)),
        p99_ms: rounded(percentile(latencies, 0.99)),
        rps: rounded((latencies.length / milliseconds) * 1_000),
      };
      figures.push(figure);
      onProgress(`${query} at ${count}: p95 ${figure.p95_ms} ms, ${figure.rps}/s`);
    }
  }
  return figures;
}

/** Begins each round at another request, so that a slow query is not measured by its first requests alone. */
function startAt(paths: readonly string[], round: number): string[] {
  const first = Math.floor((paths.length * round) / (ROUNDS + 1));
  return [...paths.slice(first), ...paths.slice(0, first)];
}

const join = (before: Samples | undefined, { latencies, milliseconds }: Samples): Samples => ({
  latencies: [...(before?.latencies ?? []), ...latencies],
  milliseconds: (before?.milliseconds ?? 0) + milliseconds,
});

const isHealthy = (body: string) => body.startsWith('{"status":"ok"');

/** Looks at the text alone: parsing every page would take time from the server. */
const isPage = (body: string) => body.startsWith('{"results":[{"') && body.includes('"source":"index"');
