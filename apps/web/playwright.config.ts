import { patience } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "@playwright/test";
import chromium from "@sparticuz/chromium";

const screenshotsOnly = process.env.SCREENSHOTS !== undefined;

/**
 * Browser tests against a running stack. `pnpm test` starts its own stack; `E2E_BASE_URL=http://localhost:3000
 * E2E_RPC_URL=http://127.0.0.1:8545 playwright test` uses that of `pnpm dev`. With SCREENSHOTS, a directory, takes the
 * documentation's screenshots instead (`pnpm screenshots`).
 */
export default defineConfig({
  testDir: screenshotsOnly ? "screenshots" : "e2e",
  testMatch: screenshotsOnly ? "*.screenshots.ts" : "*.spec.ts",
  // Only `pnpm test:long` runs long tests of what unit tests and other browser tests also cover.
  ...(process.env.TEST_LONG ? {} : { grepInvert: /@long/ }),
  fullyParallel: false,
  workers: 1,
  timeout: patience.testTimeout,
  expect: { timeout: patience.expect.poll.timeout },
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  use: {
    baseURL: process.env.E2E_BASE_URL ?? "http://localhost:3000",
    viewport: { width: 1280, height: 900 },
    // Fade-ins repaint sixty times a second, which is slow without a graphics card.
    contextOptions: { reducedMotion: "reduce" },
    // Report elements that can't be clicked or pages that can't be opened long before the test times out.
    actionTimeout: patience.expect.poll.timeout,
    navigationTimeout: patience.expect.poll.timeout,
    launchOptions: {
      executablePath: await chromium.executablePath(),
      args: ["--headless=shell", "--no-sandbox"],
    },
    // Traces of all tests would take longer than many of them. Use `playwright test --trace on` to record them.
    screenshot: "only-on-failure",
  },
});
