import { buildContracts } from "./stack/buildContracts.ts";
import { buildWeb, NEXT_DIRECTORY } from "./stack/buildWeb.ts";

/**
 * The contracts, and what the other parts read of them. With `--all`, as `pnpm build` does it, everything that `pnpm start`
 * runs: the web app too; the indexer and the worker run from their source.
 */
try {
  await buildContracts();
  if (process.argv.includes("--all")) await buildWeb(NEXT_DIRECTORY);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
