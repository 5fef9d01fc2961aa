import { join } from "node:path";
import { longSuites, patience, propertyRuns, servers } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "vitest/config";

/** Configuration of the unit tests, which are next to their modules. Playwright runs `e2e/`. */
export default defineConfig({
  // Outside of Next's code for the server, this package throws.
  resolve: { alias: { "server-only": join(import.meta.dirname, "config/absentPackage.ts") } },
  test: {
    include: ["**/*.test.{ts,tsx}"],
    exclude: ["node_modules", ".next*/**", "e2e/**", ...longSuites],
    globalSetup: servers,
    setupFiles: propertyRuns,
    // Reloading viem and the SDK for every file took longer than most of the files.
    isolate: false,
    // Most of the time, the tests wait for chains and servers of their own.
    maxWorkers: 2,
    // Show the server's log only for failing tests.
    silent: "passed-only",
    ...patience,
  },
});
