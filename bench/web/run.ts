import { parseArgs } from "node:util";
import getPort from "get-port";
import { auditPage, startBrowser } from "../../apps/web/bench/audit.ts";
import { controlHref } from "../../apps/web/lib/control/readAccountControl.ts";
import { appPath, dataUrlPath } from "../../packages/sdk/src/index.ts";
import { readMemory, stopServices } from "../../scripts/stack/processes.ts";
import { measureInTurn } from "../load.ts";
import { issuer, publisher, publishRecords } from "../publish.ts";
import { writeResults, writeSnapshot } from "../results.ts";
import { buildWeb, newDirectory, startChain, startIndexer, startWeb } from "../stack.ts";
import { formatAudits, formatServerTimes, scores, type WebResults } from "./report.ts";

/**
 * `pnpm bench:web`: Measures Lighthouse's scores and the first load's size of every public route in a production build,
 * and the server's time for a service's page compared with an empty route. Writes bench/results/web.json. Exits with 1
 * if a budget is exceeded.
 *
 *   --services 1000   services on the chain; default 200
 *   --seconds 4       duration of each kind of timed request; default 8
 *   --skip-build      reuses the web app's previous build
 *   --skip-audits     skips Lighthouse
 *   --update          writes the snapshot
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    services: { type: "string", default: "200" },
    seconds: { type: "string", default: "8" },
    "skip-build": { type: "boolean", default: false },
    "skip-audits": { type: "boolean", default: false },
    update: { type: "boolean", default: false },
  },
});

/** Limits of a first load in kB, for public pages and those with a wallet or the wizard. */
const budgets = { public: { js: 125, css: 25 }, wallet: { js: 550, css: 30 } };
/** Lowest score for accessibility, best practices and, on pages that search engines may list, SEO. */
const MIN_SCORE = 95;
/** Limit of the ratio between a service's page and an empty route, at the 95th percentile. */
const MAX_RATIO = 4;

/** Returns every public route with the path of one of its pages. */
const listPaths = (did: string) => ({
  "/": "/",
  "/apps": "/apps",
  "/apps/<did>": appPath(did),
  "/apps/<did>/v/<version>": appPath(did, { major: 1, minor: 0, patch: 0 }),
  "/owners/<address>": `/owners/${publisher}`,
  "/issuers": "/issuers",
  "/issuers/<address>": `/issuers/${issuer}`,
  "/control": "/control",
});

/** Returns the routes with a wallet or the wizard. */
const listWalletPaths = (did: string) => ({
  "/control?did=<did>&account=<address>": controlHref(did, publisher),
  "/register": "/register",
  "/my": "/my",
});

async function auditPages(url: string, did: string): Promise<WebResults["audits"]> {
  const port = await getPort();
  const browser = await startBrowser(port);
  try {
    const audits = [];
    for (const [page, path] of Object.entries({ ...listPaths(did), ...listWalletPaths(did) })) {
      console.log(`Auditing ${page}`);
      audits.push({ page, ...(await auditPage(port, url + path)) });
    }
    return audits;
  } finally {
    await browser.close();
  }
}

try {
  if (!values["skip-build"]) await buildWeb();
  const chain = await startChain();
  const { records } = await publishRecords(chain, Number(values.services));
  const indexer = await startIndexer(chain, { PGLITE_DIR: await newDirectory() });
  const web = await startWeb(chain, indexer.url, { isIssuer: true });
  const { url } = web;
  const post = ({ did }: (typeof records)[number]) => ({
    method: "POST" as const,
    path: "/api/verify-and-attest",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ did, connectedAddress: publisher, requiredSchemas: ["did-ownership"] }),
  });
  // Use different services, so that most are not cached, and compare with a route and a page that read no data.
  const subjects = {
    "/apps/<did>": records.map(({ did }) => appPath(did)),
    "/api/data-url/<did>/v/<version>": records.map(({ did, major }) =>
      dataUrlPath(did, { major, minor: 0, patch: 0 }),
    ),
    "/api/verify-and-attest, already attested": records.map(post),
    "/llms.txt": ["/llms.txt"],
    "/control": ["/control"],
  };
  const serverTimes = await measureInTurn(
    Object.entries(subjects).map(([name, paths]) => ({ name, url, paths })),
    {
      connections: 1,
      seconds: Number(values.seconds),
      onProgress: console.log,
      processes: { web: web.processId },
    },
  );
  const memory = await readMemory(web);
  const did = records.find(({ contractId }) => contractId === "")?.did ?? "";
  const audits = values["skip-audits"] ? [] : await auditPages(url, did);

  const figures: WebResults = { services: records.length, audits, serverTimes, memory };
  console.log(`\nFirst load in kB, and Lighthouse's scores\n\n${formatAudits(audits)}`);
  for (const { page, failed } of audits) if (failed.length > 0) console.log(`${page}: ${failed.join(", ")}`);
  console.log(`\n${formatServerTimes(figures)}\n`);

  const missed = audits.flatMap(({ page, failed: _, ...audit }) => {
    const isWallet = page in listWalletPaths(did);
    const budget = isWallet ? budgets.wallet : budgets.public;
    return [
      ...(audit.js > budget.js
        ? [`${page} loads ${audit.js} kB of JavaScript; ${budget.js} are its budget`]
        : []),
      ...(audit.css > budget.css
        ? [`${page} loads ${audit.css} kB of CSS; ${budget.css} are its budget`]
        : []),
      ...scores
        .filter((name) => audit[name] < MIN_SCORE && (!isWallet || name !== "seo"))
        .map((name) => `${page} has ${audit[name]} of 100 in ${name}`),
    ];
  });
  const p95 = new Map(serverTimes.map(({ name, p95_ms }) => [name, p95_ms]));
  const ratio = (p95.get("/apps/<did>") ?? Infinity) / (p95.get("/llms.txt") ?? 0);
  if (!(ratio <= MAX_RATIO)) {
    missed.push(
      `A service's page takes ${ratio.toFixed(1)} times as long as an empty route; ${MAX_RATIO} are its budget`,
    );
  }
  for (const line of missed) console.log(line);
  if (missed.length > 0) process.exitCode = 1;
  await writeResults("web", figures);
  if (values.update) await writeSnapshot("web", figures);
} finally {
  await stopServices();
}
process.exit();
