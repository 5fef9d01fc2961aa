import { onSharedChain, patience, servers } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "vitest/config";

/** Suites that talk to a real chain; the others need nothing but themselves. */
const onChain = [
  "src/client/**/*.test.ts",
  "src/ethers/**/*.test.ts",
  "src/verify/**/*.test.ts",
  "src/search/searchChain.test.ts",
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
          // Half of the time went into loading viem anew for every file.
          isolate: false,
          ...patience,
        },
      },
      { test: { name: "sdk on a chain", include: onChain, ...onSharedChain } },
    ],
  },
});
