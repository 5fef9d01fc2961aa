import { fileURLToPath } from "node:url";
import { longSuites, patience, propertyRuns, servers } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "vitest/config";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  // Ponder provides this module in its own process.
  resolve: {
    alias: { "ponder:schema": path("ponder.schema.ts") },
  },
  test: {
    // Each integration suite starts its own chain and indexer on free ports and mostly waits for them.
    maxWorkers: 2,
    globalSetup: servers,
    // Modules of the indexer require this setting. Suites that connect to a database set their own.
    env: { DATABASE_URL: "postgresql://unused.invalid/index" },
    setupFiles: [propertyRuns, "test/harness/namespace.ts"],
    // Vitest shows the log of failing tests only.
    silent: "passed-only",
    ...patience,
    include: ["*.test.ts", "worker/**/*.test.ts", "src/api/**/*.test.ts", "test/**/*.test.ts"],
    exclude: longSuites,
    // With isolation, a third of the time goes into loading viem and Drizzle for every file.
    isolate: false,
  },
});
