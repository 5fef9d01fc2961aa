import { dirname, join } from "node:path";
import { NEXT_DIRECTORY, webDirectory, webServer } from "./buildWeb.ts";
import { type Program, rootDirectory } from "./processes.ts";

type Server = Program & { url: string };

const directory = join(rootDirectory, "apps/indexer");

/** Worker, which reads documents, runs live checks and revalidates attestations. */
export const worker: Program = { command: [process.execPath, "worker/main.ts"], directory };

export interface PonderOptions {
  schema?: string | undefined;
  host?: string;
  parameters?: string[];
}

export function indexer(
  port: number,
  { schema = "app_registry", host = "127.0.0.1", parameters = [] }: PonderOptions = {},
): Server {
  const program = join(directory, "node_modules/ponder/dist/esm/bin/ponder.js");
  const place = ["--schema", schema, "--hostname", host, "--port", String(port)];
  return {
    command: [process.execPath, program, "start", ...place, ...parameters],
    directory,
    environment: { PONDER_TELEMETRY_DISABLED: "true" },
    url: `http://${host}:${port}`,
  };
}

/** Returns the web app from a build folder of apps/web or, if not `isBuilt`, compiled into that folder on demand. */
export function web(
  port: number,
  { nextDirectory = NEXT_DIRECTORY, isBuilt = true, host = "" } = {},
): Server {
  const server = webServer(nextDirectory);
  const development = [join(webDirectory, "node_modules/next/dist/bin/next"), "dev", "--port", String(port)];
  return {
    command: [process.execPath, ...(isBuilt ? [server] : development)],
    directory: isBuilt ? dirname(server) : webDirectory,
    environment: {
      NODE_ENV: isBuilt ? "production" : "development",
      NEXT_DIST_DIR: nextDirectory,
      NEXT_TELEMETRY_DISABLED: "1",
      PORT: String(port),
      ...(host && { HOSTNAME: host }),
    },
    url: `http://${host || "localhost"}:${port}`,
  };
}
