import { buildContracts } from "./stack/buildContracts.ts";
import { buildWeb, NEXT_DIRECTORY } from "./stack/buildWeb.ts";
import { printStep } from "./stack/processes.ts";

/**
 * Compiles the contracts and generates the ABIs and bindings of the other parts. With `--all`, as in `pnpm build`, also
 * builds the web app and the packages that it serves. The indexer and the worker run from source.
 */
try {
  await printStep("contracts", buildContracts);
  if (process.argv.includes("--all")) await buildWeb(NEXT_DIRECTORY, {}, printStep);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
