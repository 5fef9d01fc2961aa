import { LOCAL_CHAIN_ID } from "../../packages/sdk/src/local.ts";
import { webDirectory, webServer } from "./buildWeb.ts";
import type { Server } from "./chain.ts";
import { answers, startService, waitUntilReady } from "./processes.ts";

export interface WebParameters {
  /** `dev` compiles pages on demand; `start` serves what `buildWeb` built. */
  command: "dev" | "start";
  port: number;
  rpcUrl: string;
  deploymentFile: string;
  indexerUrl: string;
  /** Folder of Next's build, relative to apps/web. */
  nextDirectory: string;
  environment: Record<string, string>;
  /** Names the log. */
  name?: string;
  logDirectory: string;
}

/** Starts the web app on a local chain and waits until it is healthy. */
export async function startWeb({
  command,
  port,
  name = "web",
  logDirectory,
  ...options
}: WebParameters): Promise<Server> {
  const url = `http://localhost:${port}`;
  const [program, ...parameters] =
    command === "dev"
      ? (["node_modules/.bin/next", "dev", "--port", String(port)] as const)
      : (["node", webServer(options.nextDirectory)] as const);
  const service = await startService({
    name,
    command: program,
    parameters,
    directory: webDirectory,
    environment: {
      CHAIN_ID: String(LOCAL_CHAIN_ID),
      RPC_URL: options.rpcUrl,
      DEPLOYMENT_FILE: options.deploymentFile,
      INDEXER_URL: options.indexerUrl,
      PUBLIC_URL: url,
      NEXT_DIST_DIR: options.nextDirectory,
      PORT: String(port),
      ...options.environment,
    },
    logDirectory,
  });
  await waitUntilReady(service, 180, () => answers(`${url}/api/health`));
  return { url, service };
}
