import { join } from "node:path";
import { LOCAL_CHAIN_ID } from "../../packages/sdk/src/local.ts";
import type { Server } from "./chain.ts";
import { answers, rootDirectory, startService, waitUntilReady } from "./processes.ts";

export interface WorkerParameters {
  rpcUrl: string;
  deploymentFile: string;
  databaseUrl: string;
  /** Port of its probes and metrics. */
  metricsPort: number;
  environment?: Record<string, string>;
  /** Names the log. */
  name?: string;
  logDirectory: string;
}

/** Starts the worker on a local chain and waits until it runs; the URL is that of its probes and metrics. */
export async function startWorker({ name = "worker", ...options }: WorkerParameters): Promise<Server> {
  const { rpcUrl, deploymentFile, databaseUrl, metricsPort, logDirectory } = options;
  const service = await startService({
    name,
    command: "node",
    parameters: ["worker.ts"],
    directory: join(rootDirectory, "apps/indexer"),
    environment: {
      CHAIN_ID: String(LOCAL_CHAIN_ID),
      RPC_URL: rpcUrl,
      DEPLOYMENT_FILE: deploymentFile,
      DATABASE_URL: databaseUrl,
      METRICS_PORT: String(metricsPort),
      BACKGROUND_WORK: "worker",
      ...options.environment,
    },
    logDirectory,
  });
  const url = `http://127.0.0.1:${metricsPort}`;
  await waitUntilReady(service, 60, () => answers(`${url}/healthz`));
  return { url, service };
}
