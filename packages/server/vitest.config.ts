import { defineConfig } from "vitest/config";
import { patience } from "../sdk/test/projects.ts";

export default defineConfig({
  test: { name: "server", include: ["src/**/*.test.ts"], isolate: false, ...patience },
});
