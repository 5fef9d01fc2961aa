import { defineConfig } from "vitest/config";

/** Tests of modules stand beside them; `e2e/` is Playwright's. */
export default defineConfig({
  test: {
    include: ["**/*.test.{ts,tsx}"],
    exclude: ["node_modules", ".next*/**", "e2e/**"],
    globalSetup: "../../packages/sdk/test/support/servers.ts",
    // Loading viem and the SDK anew for every file took longer than most of them.
    isolate: false,
    // The server's own log is shown with a test that fails.
    silent: "passed-only",
    // A machine that does other work at the same time is slow, not wrong.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
