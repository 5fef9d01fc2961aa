import { defineConfig } from "vitest/config";
import { patience, servers } from "../sdk/test/projects.ts";

export default defineConfig({
  test: {
    name: "outbound",
    include: ["src/**/*.test.ts"],
    globalSetup: servers,
    setupFiles: "../sdk/test/propertyRuns.ts",
    // A third of the time went into loading the same modules anew for every file.
    isolate: false,
    ...patience,
  },
});
