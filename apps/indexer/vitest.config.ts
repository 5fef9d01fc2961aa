import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  // Ponder provides these to its own process; tests of the queries alone give them a database of their own.
  resolve: {
    alias: { "ponder:schema": path("ponder.schema.ts"), "ponder:api": path("test/harness/database.ts") },
  },
  test: {
    // Each integration suite runs a chain and an indexer of its own.
    fileParallelism: false,
    include: ["*.test.ts", "offchain/**/*.test.ts", "src/api/**/*.test.ts", "test/**/*.test.ts"],
    hookTimeout: 240_000,
    testTimeout: 60_000,
  },
});
