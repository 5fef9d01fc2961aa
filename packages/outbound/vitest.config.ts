import { patience, servers } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "outbound",
    include: ["src/**/*.test.ts"],
    globalSetup: servers,
    setupFiles: "@app-registry/test-kit/propertyRuns",
    // A third of the time went into loading the same modules anew for every file.
    isolate: false,
    ...patience,
  },
});
