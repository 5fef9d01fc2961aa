import { defineConfig } from "vitest/config";
import { onSharedChain, patience, servers } from "../sdk/test/projects.ts";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "issuer",
          include: ["src/**/*.test.ts"],
          globalSetup: servers,
          setupFiles: "../sdk/test/propertyRuns.ts",
          isolate: false,
          ...patience,
        },
      },
      // What the sdk asks of a web service, whose issuer is this package's.
      { test: { name: "issuer on a chain", include: ["test/service/*.test.ts"], ...onSharedChain } },
    ],
  },
});
