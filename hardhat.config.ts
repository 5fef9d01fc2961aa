/// <reference path="./packages/sdk/generated/ethers/hardhat.d.ts" />
import { globSync } from "node:fs";
import { createRequire } from "node:module";
import hardhatToolboxMochaEthers from "@nomicfoundation/hardhat-toolbox-mocha-ethers";
import { configVariable, defineConfig } from "hardhat/config";
import { SEED } from "./test/seed.ts";

const require = createRequire(import.meta.url);

/** URLs of explorers, which Hardhat requires as plain text. An explorer without a URL is omitted. */
const { SOURCIFY_URL = "", TESTNET_BLOCKSCOUT_URL = "" } = process.env;

function blockscout(address: string) {
  const url = address.replace(/\/+$/, "");
  return url ? { blockscout: { url, apiUrl: `${url}/api` } } : {};
}

const isLong = Boolean(process.env.TEST_LONG);

/** True if coverage is measured. Its calls cost more and its code is larger, so its results are stored separately. */
const isCoverage = process.argv.includes("--coverage");
const { solidity, ...artifacts } = isCoverage
  ? {
      artifacts: ".local/coverage/artifacts",
      cache: ".local/coverage/cache",
      solidity: ".local/coverage/none",
    }
  : { solidity: "test/solidity" };

/** Compiler from the npm package, which the lockfile pins: builds are reproducible and need no download. */
const compiler = { version: "0.8.30", path: require.resolve("solc/soljson.js") };

export default defineConfig({
  plugins: [hardhatToolboxMochaEthers],
  solidity: {
    compilers: [
      {
        ...compiler,
        settings: {
          viaIR: true,
          optimizer: { enabled: true, runs: 200 },
          evmVersion: "cancun",
        },
      },
    ],
    // These tests only call the contracts. Without the optimizer, they compile in a fifth of the time.
    overrides: Object.fromEntries(
      globSync("test/solidity/invariants/**/*.t.sol", { cwd: import.meta.dirname }).map((path) => [
        path,
        { ...compiler, settings: { evmVersion: "cancun" } },
      ]),
    ),
  },
  networks: {
    localhost: {
      type: "http",
      chainType: "l1",
      url: process.env.LOCAL_RPC_URL ?? "http://127.0.0.1:8545",
    },
    testnet: {
      type: "http",
      chainType: "l1",
      chainId: 66238,
      url: configVariable("TESTNET_RPC_URL"),
      accounts: [configVariable("TESTNET_PRIVATE_KEY")],
    },
  },
  // `pnpm run verify` needs an entry for each chain that Hardhat does not know.
  chainDescriptors: {
    66238: { name: "testnet", chainType: "l1", blockExplorers: blockscout(TESTNET_BLOCKSCOUT_URL) },
  },
  verify: {
    etherscan: { enabled: false },
    sourcify: { enabled: SOURCIFY_URL !== "", apiUrl: SOURCIFY_URL.replace(/\/+$/, "") },
  },
  // Each fuzz test runs the same 256 inputs, and 20,000 new ones with `pnpm test:long`. A handler reverts only if it found a fault.
  test: {
    solidity: {
      fuzz: { runs: isLong ? 20_000 : 256, seed: `0x${SEED.toString(16)}` },
      invariant: { runs: isLong ? 100 : 2, depth: isLong ? 100 : 40, failOnRevert: true, shrinkRunLimit: 20 },
    },
  },
  paths: { ...artifacts, tests: { mocha: "test", solidity } },
  coverage: { skipFiles: ["contracts/mocks/**", "contracts/examples/**", "test/**"] },
  // The bindings use namespaces, which the strict root settings don't allow.
  typechain: { dontOverrideCompile: isCoverage, outDir: "packages/sdk/generated/ethers", tsNocheck: true },
});
