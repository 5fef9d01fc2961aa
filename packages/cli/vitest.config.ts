import { onSharedChain, patience } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "vitest/config";

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
          setupFiles: "@app-registry/test-kit/propertyRuns",
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
