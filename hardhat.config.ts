/// <reference path="./packages/sdk/generated/ethers/hardhat.d.ts" />
import { globSync } from "node:fs";
import { createRequire } from "node:module";
import hardhatToolboxMochaEthers from "@nomicfoundation/hardhat-toolbox-mocha-ethers";
import { configVariable, defineConfig } from "hardhat/config";

const require = createRequire(import.meta.url);

/** Where an explorer runs is no secret, and Hardhat takes it as plain text; without an address it is left out. */
const { SOURCIFY_URL = "", TESTNET_BLOCKSCOUT_URL = "" } = process.env;

function blockscout(address: string) {
  const url = address.replace(/\/+$/, "");
  return url ? { blockscout: { url, apiUrl: `${url}/api` } } : {};
}

const isLong = Boolean(process.env.TEST_LONG);

/** With coverage, calls cost more and code is larger, so the results are kept apart from the ordinary build. */
const isCoverage = process.argv.includes("--coverage");
const { solidity, ...artifacts } = isCoverage
  ? {
      artifacts: ".local/coverage/artifacts",
      cache: ".local/coverage/cache",
      solidity: ".local/coverage/none",
    }
  : { solidity: "test/solidity" };

/** The compiler is the npm package, pinned by the lockfile: builds are reproducible and need no download. */
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
    // What only calls the contracts need not be small: without the optimizer it compiles in a fifth of the time.
    overrides: Object.fromEntries(
      globSync("test/solidity/{fuzz,invariants}/**/*.t.sol", { cwd: import.meta.dirname }).map((path) => [
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
  // What `pnpm run verify` needs of a chain: one entry here for each that Hardhat does not know.
  chainDescriptors: {
    66238: { name: "testnet", chainType: "l1", blockExplorers: blockscout(TESTNET_BLOCKSCOUT_URL) },
  },
  verify: {
    etherscan: { enabled: false },
    sourcify: { enabled: SOURCIFY_URL !== "", apiUrl: SOURCIFY_URL.replace(/\/+$/, "") },
  },
  // Each fuzz test tries 256 inputs, and 20,000 with `pnpm test:long`. A handler reverts only when it has found a fault.
  test: {
    solidity: {
      fuzz: { runs: isLong ? 20_000 : 256 },
      invariant: { runs: isLong ? 100 : 2, depth: isLong ? 100 : 40, failOnRevert: true, shrinkRunLimit: 20 },
    },
  },
  paths: { ...artifacts, tests: { mocha: "test", solidity } },
  coverage: { skipFiles: ["contracts/mocks/**", "contracts/examples/**", "test/**"] },
  // The bindings use namespaces, which the strict root settings refuse in our own sources.
  typechain: { dontOverrideCompile: isCoverage, outDir: "packages/sdk/generated/ethers", tsNocheck: true },
});
