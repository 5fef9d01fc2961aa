import { longSuites, onSharedChain, patience } from "@app-registry/test-kit/vitestProjects";
import { defineConfig } from "vitest/config";

/** Suites that use a local chain. The others have no dependencies. */
const onChain = [
  "src/{account,prompts}.test.ts",
  "src/commands/{allowlist,attest,audit,connect*,diff,get,insideAddresses,probe,publish,publishable,publishMany,update,verify}.test.ts",
  "test/examples/*.test.ts",
];

/** Global setup that bundles the programs for the suites that start them. */
const programs = "test/programs.ts";

/** Suites that only `pnpm test:long` and a release run, because they build, pack and install the packages. */
const packed = process.env.TEST_LONG ? ["test/package/*.test.ts"] : [];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "cli",
          include: ["src/**/*.test.ts", "test/*.test.ts"],
          isolate: false,
          exclude: [...onChain, ...longSuites],
          globalSetup: programs,
          setupFiles: "@app-registry/test-kit/propertyRuns",
          ...patience,
        },
      },
      {
        test: {
          name: "cli on a chain",
          include: onChain,
          ...onSharedChain,
          globalSetup: [...onSharedChain.globalSetup, programs],
        },
      },
      {
        test: {
          name: "packages",
          include: packed,
          ...onSharedChain,
          globalSetup: [...onSharedChain.globalSetup, "test/package/packTarballs.ts"],
        },
      },
    ],
  },
});
