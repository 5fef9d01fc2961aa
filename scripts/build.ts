import { buildContracts } from "./stack/buildContracts.ts";
import { buildWeb, NEXT_DIRECTORY } from "./stack/buildWeb.ts";

/**
 * Compiles the contracts and generates the ABIs and bindings of the other parts. With `--all`, as in `pnpm build`, also
 * builds the web app. The indexer and the worker run from source.
 */
try {
  const isAll = process.argv.includes("--all");
  if (isAll) console.log("Compiling the contracts…");
  await buildContracts();
  if (isAll) {
    console.log("Building the web app, which takes a few minutes…");
    await buildWeb(NEXT_DIRECTORY);
    console.log("Built.");
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
