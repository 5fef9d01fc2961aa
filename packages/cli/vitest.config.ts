import { defineConfig } from "vitest/config";
import { onSharedChain, patience } from "../sdk/test/projects.ts";

/** Suites that talk to a real chain; the others need nothing but themselves. */
const onChain = [
  "src/{account,prompts}.test.ts",
  "src/commands/{attest,connect*,get,probe,publish,publishable,update,verify}.test.ts",
  "test/examples/*.test.ts",
];

/** Left to `pnpm test:long`: they install the packages as a user does, by npm and by pnpm. */
const installs = ["test/package/{install,npm}.test.ts"];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "cli",
          include: ["src/**/*.test.ts", "test/*.test.ts"],
          isolate: false,
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
          exclude: process.env.TEST_LONG ? [] : installs,
          globalSetup: "test/package/packTarballs.ts",
          ...patience,
        },
      },
    ],
  },
});
