import { buildContracts } from "./stack/buildContracts.ts";
import { buildWeb, NEXT_DIRECTORY } from "./stack/buildWeb.ts";

/**
 * The contracts, and what the other parts read of them. With `--all`, as `pnpm build` does it, everything that `pnpm start`
 * runs: the web app too; the indexer and the worker run from their source.
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
