import { onSharedChain, patience } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "vitest/config";

/** Suites that use a local chain. The others have no dependencies. */
const onChain = [
  "src/{account,prompts}.test.ts",
  "src/commands/{allowlist,attest,connect*,diff,get,probe,publish,publishable,update,verify,watch}.test.ts",
  "test/examples/*.test.ts",
];

/** Suites that only `pnpm test:long` runs. They install the packages like a user, with npm and with pnpm. */
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
