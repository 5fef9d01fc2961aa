import type { Server } from "../../stack/chain.ts";
import type { IndexerParameters } from "../../stack/indexer.ts";
import { findFreePort } from "../../stack/ports.ts";
import type { Service } from "../../stack/processes.ts";
import { openPostgres, startDatabase } from "./load/postgres.ts";
import { type Backend, prepareDatabase } from "./load/prepareDatabase.ts";
import { measureSearch, type SearchFigure } from "./measure/measureSearch.ts";
import { makeRequests } from "./measure/queries.ts";
import { type Chain, type Memory, memoryOf, startIndexer, startWeb } from "./servers.ts";

export interface BackendParameters {
  backend: Backend;
  count: number;
  chain: Chain;
  connections: readonly number[];
  seconds: number;
  firstPort: number;
  onProgress: (message: string) => void;
}

export interface BackendResult {
  figures: SearchFigure[];
  /** Of the process that answers searches; null where the system does not say. */
  indexerMemory: Memory | null;
}

/** Loads a database unless it is there already, starts the indexer and the web app over it, and measures searches. */
export async function measureBackend(parameters: BackendParameters): Promise<BackendResult> {
  const { backend, count, chain, firstPort, onProgress } = parameters;
  const directory = await prepareDatabase({ backend, count }, chain, firstPort, onProgress);
  const database =
    backend === "postgres" ? await startDatabase(directory, await findFreePort(firstPort)) : null;
  const services: Service[] = [];
  try {
    onProgress("the indexer starts and makes its indexes");
    const environment = database ? { DATABASE_URL: database.url } : { PGLITE_DIR: directory };
    const indexers = await startIndexers(chain, environment, firstPort + 1);
    services.push(...indexers.map(({ service }) => service));
    if (database) await settle(database.url);
    const web = await startWeb(chain, indexers.at(-1)?.url ?? "", firstPort + 10);
    services.push(web.service);
    const requests = await makeRequests(count, web.url);
    const measured = await measureSearch({ ...parameters, url: web.url, requests });
    const indexer = indexers.at(-1);
    return {
      figures: measured.map((figure) => ({ backend, N: count, ...figure })),
      indexerMemory: indexer ? await memoryOf(indexer.service) : null,
    };
  } finally {
    for (const service of services.reverse()) await service.stop();
    await database?.stop();
  }
}

/** On PostgreSQL searches are answered by a reader of its own, beside the process that indexes. */
async function startIndexers(
  chain: Chain,
  database: IndexerParameters["database"],
  firstPort: number,
): Promise<Server[]> {
  const indexer = await startIndexer({ chain, database, command: "start", firstPort });
  if ("PGLITE_DIR" in database) return [indexer];
  const reader = await startIndexer({ chain, database, command: "serve", firstPort: firstPort + 1 });
  return [indexer, reader];
}

/** Does at once what PostgreSQL's autovacuum would do in the midst of the measurement. */
async function settle(url: string): Promise<void> {
  const database = await openPostgres(url);
  await database.query("vacuum (analyze)");
  await database.query("checkpoint");
  await database.close();
}
