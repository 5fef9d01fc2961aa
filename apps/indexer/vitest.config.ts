import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Each integration suite runs a chain and an indexer of its own.
    fileParallelism: false,
    include: ["*.test.ts", "src/api/**/*.test.ts", "test/**/*.test.ts"],
    hookTimeout: 240_000,
    testTimeout: 60_000,
  },
});
