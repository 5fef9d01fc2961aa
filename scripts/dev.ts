import { join } from "node:path";
import { parseArgs } from "node:util";
import { LOCAL_CHAIN_ID } from "../packages/sdk/src/local.ts";
import { buildContracts, isCompiled } from "./stack/buildContracts.ts";
import { buildDocs, buildPackages } from "./stack/buildWeb.ts";
import { printStep, rootDirectory, stopServices } from "./stack/processes.ts";
import type { Stack } from "./stack/stack.ts";

/** `pnpm dev [--demo]`: Starts the whole registry on this machine, with a new chain and index at each start. */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    demo: { type: "boolean", default: false },
    port: { type: "string", default: "3000" },
    "chain-port": { type: "string", default: "8545" },
    "indexer-port": { type: "string", default: "42069" },
    help: { type: "boolean", short: "h", default: false },
  },
});

const usage = `pnpm dev [--demo] [--port 3000] [--chain-port 8545] [--indexer-port 42069]

Starts a local chain, deploys the contracts, and starts PostgreSQL, the indexer, the worker and the web app.
Each start begins with a clean chain and an empty database.

  --demo          register a dozen sample services first
  --port          first port tried for the web app; so for the others
`;

let stopping = false;
async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  console.log("\nStopping …");
  await stopServices();
  console.log("Everything has stopped.");
  process.exit(code);
}

async function main(): Promise<void> {
  if (values.help) {
    console.log(usage);
    return;
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));
  // If the package manager's shell ends without ending this process, its parent changes.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && void stop(0), 1_000).unref();

  console.log("Starting App Registry. The first start takes about two minutes.");
  if (!(await isCompiled())) await printStep("changed contracts", buildContracts);
  // These modules read the compiled contracts when they load.
  const { startStack } = await import("./stack/stack.ts");
  const { writeStackUrls } = await import("./stack/client.ts");
  const stack = await startStack({
    name: "dev",
    ports: {
      web: Number(values.port),
      chain: Number(values["chain-port"]),
      indexer: Number(values["indexer-port"]),
    },
    deploymentFile: join(rootDirectory, `deployments/${LOCAL_CHAIN_ID}.json`),
    step: printStep,
  });
  const registerSamples = () =>
    import("./stack/sampleServices.ts").then(({ registerSampleServices }) => registerSampleServices(stack));
  await Promise.all([stack.firstPage, values.demo && printStep("sample services", registerSamples)]);
  await writeStackUrls(stack);
  console.log(formatSummary(stack));
  // Compile these while the user reads the first page.
  for (const path of ["/apps", "/register"]) void fetch(new URL(path, stack.webUrl)).catch(() => {});
  // Both would slow down the first page.
  void buildPackages()
    .then(buildDocs)
    .catch(({ message }: Error) => console.error(`The packages and documents can't be built: ${message}`));
  const ended = await stack.firstEnded;
  if (!stopping) {
    console.error(
      `\nThe ${ended} stopped unexpectedly. Its log is ${join(stack.logDirectory, `${ended}.log`)}`,
    );
    await stop(1);
  }
}

const formatSummary = (stack: Stack) => `
App Registry is running, with a clean chain and an empty database.

  Web app      ${stack.webUrl}
  Chain        ${stack.rpcUrl} (chain id ${LOCAL_CHAIN_ID})
  Indexer      ${stack.indexerUrl}
  Database     ${stack.databaseUrl}
  Deployment   ${stack.deploymentFile}
  Logs         ${stack.logDirectory}

Press Ctrl-C to stop. The next start begins with a clean chain and database again.
`;

main().catch((error: unknown) => {
  // A stop during the start makes the awaited part fail.
  if (stopping) return;
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
