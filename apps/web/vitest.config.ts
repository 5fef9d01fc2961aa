import { patience, servers } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "vitest/config";

/** Tests of modules stand beside them; `e2e/` is Playwright's. */
export default defineConfig({
  test: {
    include: ["**/*.test.{ts,tsx}"],
    exclude: ["node_modules", ".next*/**", "e2e/**"],
    globalSetup: servers,
    // Loading viem and the SDK anew for every file took longer than most of them.
    isolate: false,
    // The server's own log is shown with a test that fails.
    silent: "passed-only",
    ...patience,
  },
});
