import { defineConfig } from "vitest/config";
import { onSharedChain, patience } from "../sdk/test/projects.ts";

/** Suites that talk to a real chain; the others need nothing but themselves. */
const onChain = [
  "src/{account,prompts}.test.ts",
  "src/commands/{attest,get,publish,publishable,update,verify}.test.ts",
  "test/examples/*.test.ts",
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "cli",
          include: ["src/**/*.test.ts", "test/*.test.ts"],
          exclude: onChain,
          setupFiles: "../sdk/test/propertyRuns.ts",
          ...patience,
        },
      },
      { test: { name: "cli on a chain", include: onChain, ...onSharedChain } },
      {
        test: {
          name: "packages",
          include: ["test/package/*.test.ts"],
          globalSetup: "test/package/packTarballs.ts",
          ...patience,
        },
      },
    ],
  },
});
