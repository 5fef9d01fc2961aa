import { longSuites, onSharedChain, patience, servers } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "issuer",
          include: ["src/**/*.test.ts"],
          exclude: longSuites,
          globalSetup: servers,
          setupFiles: "@app-registry/test-kit/propertyRuns",
          isolate: false,
          ...patience,
        },
      },
      // Tests of the SDK's requests to a web service, whose issuer comes from this package.
      { test: { name: "issuer on a chain", include: ["test/service/*.test.ts"], ...onSharedChain } },
    ],
  },
});
