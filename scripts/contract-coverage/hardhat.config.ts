import { defineConfig } from "hardhat/config";
import config from "../../hardhat.config.ts";

/**
 * The contracts as `pnpm coverage` compiles them: each statement reports that it ran, so code is larger and calls cost
 * more. Everything is written apart from what the other commands build.
 */
export default defineConfig({
  ...config,
  paths: {
    ...config.paths,
    artifacts: ".local/coverage/artifacts",
    cache: ".local/coverage/cache",
    // The Solidity tests take no part, so they are not looked for.
    tests: { mocha: "test", solidity: ".local/coverage/no-tests" },
  },
  typechain: { dontOverrideCompile: true },
  coverage: { skipFiles: ["contracts/mocks/**", "contracts/examples/**", "test/**"] },
});
