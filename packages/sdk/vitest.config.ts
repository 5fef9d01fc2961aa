import { onSharedChain, patience, servers } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "vitest/config";

/** Suites that need a chain. */
const onChain = [
  "src/client/**/*.test.ts",
  "src/ethers/**/*.test.ts",
  "src/verify/**/*.test.ts",
  "src/publish/estimateStorageCost.test.ts",
  "src/search/searchChain.test.ts",
  "src/allowlist.test.ts",
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "sdk",
          include: ["src/**/*.test.ts"],
          globalSetup: servers,
          exclude: onChain,
          setupFiles: "@app-registry/test-kit/propertyRuns",
          // Share modules between files: loading viem again for every file took half of the time.
          isolate: false,
          ...patience,
        },
      },
      { test: { name: "sdk on a chain", include: onChain, ...onSharedChain } },
    ],
  },
});
