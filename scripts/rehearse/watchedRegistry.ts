import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LOCAL_CHAIN_ID } from "../../packages/sdk/src/local.ts";
import { startFaultyRpc } from "../../packages/sdk/test/support/faultyRpc.ts";
import { DEMO_PUBLISHER_INDEX, ISSUER_INDEX, localPrivateKey } from "../stack/accounts.ts";
import { NEXT_DIRECTORY } from "../stack/buildWeb.ts";
import { deployContracts } from "../stack/chain.ts";
import { spawnIndexer } from "../stack/indexer.ts";
import { answers, capture, run, waitUntilReady } from "../stack/processes.ts";
import { startWeb } from "../stack/web.ts";
import { startWorker } from "../stack/worker.ts";
import { startAnvil, startPostgres } from "./machine.ts";
import { startPrometheus } from "./prometheus.ts";

const SECONDS = 180;
const PORTS = { chain: 8_745, web: 3_200, indexer: 42_269 };
/** Of metrics and probes. */
const OPERATIONS = { web: 9_764, indexer: 9_765, worker: 9_766 };
/** Few, so that an index is soon behind. */
export const LAG_LIMIT = 5;

/** A registry on this machine whose parts can be broken one by one, and the Prometheus that watches it. */
export type WatchedRegistry = Awaited<ReturnType<typeof startWatchedRegistry>>;

export async function startWatchedRegistry(directory: string, say: (text: string) => void) {
  const logs = join(directory, "logs");
  const deploymentFile = join(directory, "deployment.json");
  const postgresDirectory = `/tmp/app-registry-alerts-${process.pid}`;
  say("Starting Anvil, PostgreSQL, indexer, web, worker and Prometheus");
  const chain = await startAnvil(LOCAL_CHAIN_ID, PORTS.chain, logs);
  await deployContracts(chain.url, deploymentFile);
  const postgres = await startPostgres(postgresDirectory, logs);
  await postgres.createDatabase();
  // The indexer and the others have endpoints of their own, which break apart.
  const [rpc, indexerRpc] = await Promise.all([startFaultyRpc(chain.url), startFaultyRpc(chain.url)]);
  const shared = {
    DATABASE_URL: postgres.url,
    DEPLOYMENT_FILE: deploymentFile,
    BACKGROUND_WORK: "worker",
    ALLOW_LOOPBACK_DIDS: "true",
    INDEX_LAG_LIMIT: String(LAG_LIMIT),
  };
  const issuer = { ISSUER_PRIVATE_KEY: localPrivateKey(ISSUER_INDEX) };
  const urls = { webUrl: `http://localhost:${PORTS.web}`, indexerUrl: `http://127.0.0.1:${PORTS.indexer}` };

  const startIndexer = () =>
    spawnIndexer({
      rpcUrl: indexerRpc.url,
      deploymentFile,
      database: { DATABASE_URL: postgres.url },
      port: PORTS.indexer,
      environment: { ...shared, METRICS_PORT: String(OPERATIONS.indexer) },
      logDirectory: logs,
    });
  const startRegistryWeb = (environment: Record<string, string> = {}) =>
    startWeb({
      command: "start",
      port: PORTS.web,
      rpcUrl: rpc.url,
      deploymentFile,
      indexerUrl: urls.indexerUrl,
      nextDirectory: NEXT_DIRECTORY,
      environment: { ...shared, ...issuer, METRICS_PORT: String(OPERATIONS.web), ...environment },
      logDirectory: logs,
    });
  let indexer = await startIndexer();
  await waitUntilReady(indexer.service, SECONDS, () => answers(`${indexer.url}/search`));
  let web = await startRegistryWeb();
  await startWorker({
    ...{ rpcUrl: rpc.url, deploymentFile, databaseUrl: postgres.url, metricsPort: OPERATIONS.worker },
    environment: { ...shared, ...issuer, INDEXER_URL: urls.indexerUrl },
    logDirectory: logs,
  });
  const prometheus = await startPrometheus(
    join(directory, "prometheus"),
    Object.entries(OPERATIONS).map(([job, port]) => ({ job, port })),
    logs,
  );

  /** Runs the command line as the publisher of the demonstration. */
  const cli = (...parameters: string[]) =>
    capture("app-registry", parameters, {
      environment: { APP_URL: urls.webUrl, PRIVATE_KEY: localPrivateKey(DEMO_PUBLISHER_INDEX) },
    });

  return {
    ...urls,
    ...{ chain, postgres, rpc, indexerRpc, prometheus, cli, deploymentFile },
    /** Registers a service whose document is only at its dataUrl. */
    async publishElsewhere(): Promise<void> {
      const file = join(directory, "metadata.json");
      await writeFile(file, JSON.stringify(metadata));
      const did = `did:web:localhost%3A${PORTS.web}:elsewhere`;
      const place = ["--no-on-chain-json", "--data-url", `${urls.webUrl}/nothing.json`];
      await cli("publish", file, "--did", did, "--version", "1.0.0", ...place, "--yes");
    },
    killIndexer: () => indexer.service.kill(),
    async restartIndexer(): Promise<void> {
      await indexer.service.kill();
      indexer = await startIndexer();
      await waitUntilReady(indexer.service, SECONDS, () => answers(`${indexer.url}/search`));
    },
    async restartWeb(environment: Record<string, string> = {}): Promise<void> {
      await web.service.stop();
      web = await startRegistryWeb(environment);
    },
    /** A sample of a metric of the web app. */
    async metric(name: string): Promise<number> {
      const text = await (await fetch(`http://127.0.0.1:${OPERATIONS.web}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
    },
    async close(): Promise<void> {
      await Promise.all([rpc.close(), indexerRpc.close()]);
      await postgres.stop();
      await run("rm", ["-rf", postgresDirectory]);
    },
  };
}

const metadata = {
  name: "Elsewhere",
  description: "A service whose document is only at its dataUrl.",
  publisher: "The rehearsal",
  endpoints: [{ name: "REST", endpoint: `http://localhost:${PORTS.web}/elsewhere/api` }],
  traits: ["api:rest"],
};
