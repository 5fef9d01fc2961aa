import { patience } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "@playwright/test";
import chromium from "@sparticuz/chromium";

const screenshotsOnly = process.env.SCREENSHOTS !== undefined;

/**
 * Browser tests against a running stack: `pnpm test` starts one of its own; by hand,
 * `E2E_BASE_URL=http://localhost:3000 E2E_RPC_URL=http://127.0.0.1:8545 playwright test` uses the one of `pnpm dev`.
 * With SCREENSHOTS, a directory, it takes the documentation's screenshots instead (`pnpm screenshots`).
 */
export default defineConfig({
  testDir: screenshotsOnly ? "screenshots" : "e2e",
  testMatch: screenshotsOnly ? "*.screenshots.ts" : "*.spec.ts",
  fullyParallel: false,
  workers: 1,
  timeout: patience.testTimeout,
  expect: { timeout: patience.expect.poll.timeout },
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  use: {
    baseURL: process.env.E2E_BASE_URL ?? "http://localhost:3000",
    viewport: { width: 1280, height: 900 },
    // What fades in is drawn anew sixty times a second, without a graphics card.
    contextOptions: { reducedMotion: "reduce" },
    // What can't be clicked or opened is reported long before the test's time is up.
    actionTimeout: patience.expect.poll.timeout,
    navigationTimeout: patience.expect.poll.timeout,
    launchOptions: {
      executablePath: await chromium.executablePath(),
      args: ["--headless=shell", "--no-sandbox"],
    },
    // A trace of every test costs more than many of them: `playwright test --trace on` takes one.
    screenshot: "only-on-failure",
  },
});
