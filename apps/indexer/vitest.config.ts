import { fileURLToPath } from "node:url";
import { patience, servers } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "vitest/config";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Left to `pnpm test:long`: an indexer that is killed starts again a dozen times. */
const long = process.env.TEST_LONG ? [] : ["test/kills.test.ts"];

export default defineConfig({
  // Ponder provides these to its own process; tests of the queries alone give them a database of their own.
  resolve: {
    alias: { "ponder:schema": path("ponder.schema.ts"), "ponder:api": path("test/harness/database.ts") },
  },
  test: {
    // Each integration suite runs a chain and an indexer of its own, on ports that are free, and waits for them.
    maxWorkers: 2,
    globalSetup: servers,
    setupFiles: "test/harness/namespace.ts",
    // The log is shown with a test that fails.
    silent: "passed-only",
    ...patience,
    include: ["*.test.ts", "offchain/**/*.test.ts", "src/api/**/*.test.ts", "test/**/*.test.ts"],
    exclude: long,
    // A third of the time went into loading viem and Drizzle anew for every file.
    isolate: false,
  },
});
