import { join } from "node:path";
import { LOCAL_CHAIN_ID } from "../../packages/sdk/src/local.ts";
import type { Server } from "./chain.ts";
import { answers, rootDirectory, startService, waitUntilReady } from "./processes.ts";

export interface WebParameters {
  /** `dev` compiles pages on demand; `start` serves an existing `next build`. */
  command: "dev" | "start";
  port: number;
  rpcUrl: string;
  deploymentFile: string;
  indexerUrl: string;
  /** Folder of Next's build, relative to apps/web. */
  nextDirectory: string;
  environment: Record<string, string>;
  logDirectory: string;
}

/** Starts the web app on a local chain and waits until it is healthy. */
export async function startWeb({ command, port, logDirectory, ...options }: WebParameters): Promise<Server> {
  const url = `http://localhost:${port}`;
  const service = await startService({
    name: "web",
    command: "node_modules/.bin/next",
    parameters: [command, "--port", String(port)],
    directory: join(rootDirectory, "apps/web"),
    environment: {
      CHAIN_ID: String(LOCAL_CHAIN_ID),
      RPC_URL: options.rpcUrl,
      DEPLOYMENT_FILE: options.deploymentFile,
      INDEXER_URL: options.indexerUrl,
      PUBLIC_URL: url,
      NEXT_DIST_DIR: options.nextDirectory,
      ...options.environment,
    },
    logDirectory,
  });
  await waitUntilReady(service, 180, () => answers(`${url}/api/health`));
  return { url, service };
}
