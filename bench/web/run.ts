import { join } from "node:path";
import { parseArgs } from "node:util";
import { type PageWeight, weighPages } from "../../apps/web/bench/pageWeight.ts";
import { controlHref } from "../../apps/web/lib/control/accountControl.ts";
import { appPath } from "../../packages/sdk/src/index.ts";
import { DEMO_PUBLISHER_INDEX, ISSUER_INDEX, localAccount } from "../../scripts/stack/accounts.ts";
import { stopServices } from "../../scripts/stack/processes.ts";
import { registerSampleServices } from "../../scripts/stack/sampleServices.ts";
import { startStack } from "../../scripts/stack/stack.ts";
import { writeResults } from "../results.ts";
import { benchDirectory, buildWeb, NEXT_DIRECTORY } from "../stack.ts";

/**
 * `pnpm bench:web`: Measures the size of the first load of every public page in a production build. Writes
 * bench/results/web.json. Exits with 1 if a budget is exceeded.
 *
 *   --skip-build   reuses the web app's previous build
 *   --update       writes the snapshot
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: { "skip-build": { type: "boolean", default: false }, update: { type: "boolean", default: false } },
});

/** First load of a page. */
type PageFigure = PageWeight & { page: string };

/** Limits of a first load in kB, for public pages and those with a wallet or the wizard. */
const budgets = { public: { js: 125, css: 25 }, wallet: { js: 550, css: 30 } };

const publisher = localAccount(DEMO_PUBLISHER_INDEX).address;

const publicPaths = (did: string): Record<string, string> => ({
  "/": "/",
  "/apps": "/apps",
  "/apps/<did>": appPath(did),
  "/apps/<did>/v/<version>": appPath(did, { major: 1, minor: 0, patch: 0 }),
  "/owners/<address>": `/owners/${publisher}`,
  "/issuers": "/issuers",
  "/issuers/<address>": `/issuers/${localAccount(ISSUER_INDEX).address}`,
  "/control": "/control",
});

const walletPaths = (did: string): Record<string, string> => ({
  "/control?did=<did>&account=<address>": controlHref(did, publisher),
  "/register": "/register",
  "/my": "/my",
});

try {
  if (!values["skip-build"]) await buildWeb();
  const stack = await startStack({
    ...{ name: "bench", nextDirectory: NEXT_DIRECTORY, deploymentFile: join(benchDirectory, "web.json") },
    ports: { web: 3200, chain: 8745, indexer: 42269 },
  });
  await registerSampleServices(stack);
  const found = await (await fetch(`${stack.webUrl}/api/search?interface=2`)).json();
  const { did = "" } = (found as { results: { did: string }[] }).results[0] ?? {};
  const paths = { ...publicPaths(did), ...walletPaths(did) };
  const weights = await weighPages(Object.values(paths).map((path) => stack.webUrl + path));
  const figures = Object.keys(paths).map((page, at) => ({ page, ...weights[at] }) as PageFigure);
  console.table(figures);
  for (const { page, ...weight } of figures) {
    const budget = page in walletPaths(did) ? budgets.wallet : budgets.public;
    for (const type of ["js", "css"] as const) {
      if (weight[type] <= budget[type]) continue;
      console.log(`${page} loads ${weight[type]} kB of ${type}; ${budget[type]} are its budget`);
      process.exitCode = 1;
    }
  }
  await writeResults("web", figures, values.update);
} finally {
  await stopServices();
}
process.exit();
