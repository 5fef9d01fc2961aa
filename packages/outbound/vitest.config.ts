import { patience, servers } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "outbound",
    include: ["src/**/*.test.ts"],
    globalSetup: servers,
    setupFiles: "@app-registry/test-kit/propertyRuns",
    // Share modules between files: loading them for each file took a third of the time.
    isolate: false,
    ...patience,
  },
});
