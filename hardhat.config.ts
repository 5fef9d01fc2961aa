/// <reference path="./packages/sdk/generated/ethers/hardhat.d.ts" />
import { createRequire } from "node:module";
import hardhatToolboxMochaEthers from "@nomicfoundation/hardhat-toolbox-mocha-ethers";
import { configVariable, defineConfig } from "hardhat/config";

const require = createRequire(import.meta.url);

/**
 * The compiler's own sequence without the function specializer (F), which copies a function for the constants that it
 * is called with: 7 % of the registry's code; and without the rematerialiser (T) in the clean-up after the colon.
 */
const optimizerSteps = `
  dhfoDgvulfnTUtnIf
  xa[r]EscLM Vcul[j]
  Trpeul xa[r]cL gvifM
  CTUca[r]LSsTOtfDnca[r]Iulc
  scCTUt gvifM
  x[scCTUt] TOntnfDIul gvifM
  jmul[jul] VcTOculjmul
  : fDnOcmuOIux
`.replaceAll(/\s/g, "");

export default defineConfig({
  plugins: [hardhatToolboxMochaEthers],
  solidity: {
    version: "0.8.30",
    // The compiler is the npm package, pinned by the lockfile: builds are reproducible and need no download.
    path: require.resolve("solc/soljson.js"),
    settings: {
      viaIR: true,
      optimizer: { enabled: true, runs: 1, details: { yul: true, yulDetails: { optimizerSteps } } },
      evmVersion: "cancun",
      // The code ends with the compiler's version alone, not with a hash of the sources' metadata: 126 bytes less.
      metadata: { bytecodeHash: "none" },
    },
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
  // Each fuzz test tries 256 inputs, and 20,000 with `pnpm test:long`.
  test: { solidity: { fuzz: { runs: process.env.TEST_LONG ? 20_000 : 256 } } },
  paths: { tests: { mocha: "test", solidity: "test/solidity" } },
  // The bindings use namespaces, which the strict root settings refuse in our own sources.
  typechain: { outDir: "packages/sdk/generated/ethers", tsNocheck: true },
});
