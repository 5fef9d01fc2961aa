import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { appPath } from "@app-registry/sdk";
import { patience } from "@app-registry/test-kit/vitestProjects";
import { expect } from "@playwright/test";
import { testAccount } from "./support/chain.ts";
import { registerAnyHost } from "./support/registry.ts";
import { testWith } from "./support/testWith.ts";

// A server in development reports mismatches between its pages and their scripts, which a build leaves out.
const test = testWith({}, { inDevelopment: true });

// It compiles a page at the first request, which takes minutes on a busy machine.
test.use({ navigationTimeout: patience.testTimeout });

const did = "did:web:newcomer.example";
const metadata = { name: "Newcomer", publisher: "Example Ltd", description: "First.", traits: ["first"] };
const paths = [
  ...["/", "/apps", "/apps?q=newcomer", appPath(did), `${appPath(did)}/v/1.0.0`, "/register", "/my"],
  ...["/control", "/issuers", `/apps?owner=${testAccount(8).address}`, "/prober"],
];

test.beforeAll(async ({ baseURL }) => {
  // After a failed test, the rest run in a new worker, which begins here again.
  const known = await fetch(new URL(`/api/apps/${did}`, baseURL));
  if (known.status === 404) await registerAnyHost(baseURL, { did, metadata, publisher: 8 });
});

/** Visitors whose browsers could render a page differently than the server did. */
const visitors = [
  { visitor: "a computer with time to spare", spinning: 0, browser: {} },
  {
    visitor: "a busy computer with a small screen in another place",
    spinning: 3 * availableParallelism(),
    browser: {
      viewport: { width: 390, height: 844 },
      colorScheme: "dark",
      locale: "de-DE",
      timezoneId: "Pacific/Kiritimati",
    },
  },
] as const;

for (const { visitor, spinning, browser } of visitors) {
  test.describe(`in development, on ${visitor}`, { tag: "@long" }, () => {
    test.use(browser);
    let workers: Worker[] = [];
    test.beforeAll(() => {
      workers = Array.from({ length: spinning }, () => new Worker("for (;;);", { eval: true }));
    });
    test.afterAll(() => Promise.all(workers.map((worker) => worker.terminate())));

    for (const path of paths) {
      // Each test has a browser context of its own, and fails if the page logs an error.
      test(`${path} loads without an error`, async ({ page }) => {
        await page.goto(path, { waitUntil: "networkidle" });
        await expect(page.locator("main")).toBeVisible();
        // The count needs no waiting: the overlay shows what the console already has.
        const overlay = page.locator("nextjs-portal");
        expect(await overlay.getByText(/\d+ issues?/i).count()).toBe(0);
      });
    }
  });
}
