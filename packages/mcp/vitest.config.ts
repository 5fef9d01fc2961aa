import { longSuites, patience } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["src/**/*.test.ts"], exclude: longSuites, isolate: false, ...patience },
});
