import { defineConfig } from "vitest/config";
import { patience } from "../sdk/test/projects.ts";

export default defineConfig({
  test: {
    name: "outbound",
    include: ["src/**/*.test.ts"],
    setupFiles: "../sdk/test/propertyRuns.ts",
    ...patience,
  },
});
