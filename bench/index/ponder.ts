import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Chain, rpc } from "../../apps/indexer/test/harness/stack.ts";
import { freePort } from "../../packages/sdk/test/support/freePort.ts";
import { spawnIndexer } from "../../scripts/stack/indexer.ts";
import { answers, rootDirectory, type Service, waitUntilReady } from "../../scripts/stack/processes.ts";
import { attestOf, didOf, mintOf, sendCalls } from "./services.ts";

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
    parameters: [
      "--log-format",
      "json",
      ...(app === "bare" ? ["--root", join(rootDirectory, "bench/index/bare")] : []),
    ],
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

/** Milliseconds between two questions of a client that waits. */
const ASK_EVERY = 20;

/** Milliseconds from a receipt to the first answer that knows of its block. */
export type Lags = { indexer: number[]; bare: number[] };

const answer = async (url: string) => (await (await fetch(url)).json()) as unknown;

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error("Nothing came of it within 30 s.");
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY));
  }
}

/**
 * Registers `count` services, `first` and the next ones, in blocks of one second, and measures for each how long after
 * the receipt the indexer's search finds it, and how long bare Ponder takes to name its block.
 */
export async function measureLag(
  chain: Chain,
  { indexer, bare, first, count }: { indexer: Ponder; bare: Ponder; first: number; count: number },
): Promise<Lags> {
  await rpc(chain.rpcUrl, "evm_setAutomine", [false]);
  await rpc(chain.rpcUrl, "evm_setIntervalMining", [1_000]);
  await sendCalls(chain, "ResolverWithStore", [attestOf(Array.from({ length: count }, (_, i) => first + i))]);
  await new Promise((resolve) => setTimeout(resolve, 3_000));

  const lags: Lags = { indexer: [], bare: [] };
  for (let index = first; index < first + count; index++) {
    // Not in step with the blocks.
    await new Promise((resolve) => setTimeout(resolve, (index * 137) % 1_000));
    const [hash] = await sendCalls(chain, "AppRegistry", [mintOf(index)]);
    let block = 0;
    await until(async () => {
      const receipt = (await rpc(chain.rpcUrl, "eth_getTransactionReceipt", [hash])) as {
        blockNumber: string;
      } | null;
      block = Number(receipt?.blockNumber ?? 0);
      return receipt !== null;
    });
    const minedAt = performance.now();
    await Promise.all([
      until(async () => {
        const page = await answer(`${indexer.url}/search?did=${encodeURIComponent(didOf(index))}`);
        return (page as { results: unknown[] }).results.length > 0;
      }).then(() => lags.indexer.push(performance.now() - minedAt)),
      until(async () => {
        const status = (await answer(`${bare.url}/status`)) as { chain?: { block: { number: number } } };
        return Number(status.chain?.block.number) >= block;
      }).then(() => lags.bare.push(performance.now() - minedAt)),
    ]);
  }
  await rpc(chain.rpcUrl, "evm_setIntervalMining", [0]);
  return lags;
}
