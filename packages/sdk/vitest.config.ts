import { defineConfig } from "vitest/config";

/** Suites that talk to a real chain; the others need nothing but themselves. */
const onChain = [
  "src/cli/{account,prompts}.test.ts",
  "src/cli/commands/{attest,get,publish,publishable,update,verify}.test.ts",
  "src/client/**/*.test.ts",
  "src/ethers/**/*.test.ts",
  "src/publish/{publishApp,runOperation}.test.ts",
  "src/service/**/*.test.ts",
  "src/verify/**/*.test.ts",
  "test/examples/*.test.ts",
  "src/search/searchChain.test.ts",
];

const subpaths = ["abi", "ethers", "import", "issuer"].map((name) => ({
  find: `@app-registry/sdk/${name}`,
  replacement: `${import.meta.dirname}/src/${name}/index.ts`,
}));
subpaths.push({ find: "@app-registry/sdk", replacement: `${import.meta.dirname}/src/index.ts` });

/** A machine that does other work at the same time is slow, not wrong. */
const patience = { testTimeout: process.env.TEST_LONG ? 600_000 : 60_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "sdk",
          include: ["src/**/*.test.ts"],
          globalSetup: "test/support/servers.ts",
          exclude: onChain,
          setupFiles: "test/propertyRuns.ts",
          // Half of the time went into loading viem anew for every file.
          isolate: false,
          ...patience,
        },
      },
      {
        // The examples import the package by its name.
        resolve: { alias: subpaths },
        test: {
          name: "sdk on a chain",
          include: onChain,
          globalSetup: ["test/support/servers.ts", "test/chain/hardhatNode.ts"],
          ...patience,
          // One chain, one clock and one shared deployment: files run one after the other in one worker.
          fileParallelism: false,
          isolate: false,
        },
      },
      {
        test: {
          name: "sdk as a package",
          include: ["test/package/*.test.ts"],
          globalSetup: "test/package/packTarball.ts",
          ...patience,
        },
      },
    ],
  },
});
