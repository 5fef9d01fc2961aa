import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Chain } from "../../../apps/indexer/test/harness/stack.ts";
import { freePort } from "../../../packages/sdk/test/support/freePort.ts";
import { spawnIndexer } from "../../stack/indexer.ts";
import { answers, type Service, waitUntilReady } from "../../stack/processes.ts";

/** What runs: the project's indexer, or Ponder with handlers that do nothing. */
export type App = "indexer" | "bare";

/** A Ponder process that indexes into a database of its own. */
export type Ponder = {
  url: string;
  service: Service;
  /** Milliseconds from the start of the process to its first `/ready`. */
  readyAfter: number;
};

/** Starts `ponder start` and waits until it is ready. */
export async function startPonder(app: App, chain: Chain, databaseUrl: string): Promise<Ponder> {
  const port = await freePort();
  const startedAt = performance.now();
  const { url, service } = await spawnIndexer({
    rpcUrl: chain.rpcUrl,
    deploymentFile: chain.deploymentFile,
    database: databaseUrl
      ? { DATABASE_URL: databaseUrl }
      : { PGLITE_DIR: join(chain.directory, `bench-${app}`) },
    port,
    schema: `bench_${app}`,
    parameters: ["--log-format", "json", ...(app === "bare" ? ["--root", "bench/bare"] : [])],
    environment: {
      OFFCHAIN_DOCUMENTS: "off",
      // As on every chain but the local one.
      POLLING_INTERVAL: "1000",
    },
    name: `${app}-${port}`,
    logDirectory: chain.directory,
  });
  await waitUntilReady(service, 900, () => answers(`${url}/ready`));
  return { url, service, readyAfter: performance.now() - startedAt };
}

type LogLine = { msg: string; duration?: number; event_count?: number };

const linesOf = async ({ service }: Ponder): Promise<LogLine[]> =>
  (await readFile(service.logFile, "utf8"))
    .split("\n")
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as LogLine);

/** Milliseconds that the log gives for indexing the past, and the events that were in it. */
export async function readBackfill(ponder: Ponder): Promise<{ milliseconds: number; events: number }> {
  // The log is written a little after the answer of `/ready`.
  for (let tries = 0; tries < 50; tries++) {
    const lines = await linesOf(ponder);
    const done = lines.find(({ msg }) => msg.startsWith("Completed backfill indexing"));
    if (done?.duration !== undefined) {
      const ranges = lines.filter(({ msg }) => msg === "Indexed block range");
      const events = ranges.reduce((sum, { event_count = 0 }) => sum + event_count, 0);
      return { milliseconds: done.duration, events };
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${ponder.service.logFile} tells of no backfill.`);
}
