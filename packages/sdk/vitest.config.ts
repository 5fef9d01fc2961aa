import { defineConfig } from "vitest/config";

/** Suites that talk to a real chain; the others need nothing but themselves. */
const onChain = ["src/client/**/*.test.ts", "src/verify/**/*.test.ts", "src/search/searchChain.test.ts"];

export default defineConfig({
  test: {
    projects: [
      { test: { name: "sdk", include: ["src/**/*.test.ts"], exclude: onChain } },
      {
        test: {
          name: "sdk on a chain",
          include: onChain,
          globalSetup: "test/chain/hardhatNode.ts",
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // One chain, one clock and one shared deployment: files run one after the other in one worker.
          fileParallelism: false,
          isolate: false,
        },
      },
    ],
  },
});
