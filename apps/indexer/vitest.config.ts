import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["*.test.ts", "src/api/**/*.test.ts", "test/**/*.test.ts"],
    hookTimeout: 120_000,
    testTimeout: 30_000,
  },
});
