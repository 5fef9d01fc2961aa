import { patience, servers } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { name: "index", include: ["src/**/*.test.ts"], globalSetup: servers, isolate: false, ...patience },
});
