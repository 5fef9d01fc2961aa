import { createRequire } from "node:module";
import { defineConfig } from "hardhat/config";
import type { HardhatPlugin } from "hardhat/types/plugins";
import config from "../../hardhat.config.ts";
import { insertFault } from "./faults.ts";

const { MUTATION_FAULT = "null", MUTATION_DIRECTORY: directory = ".local/mutation/worker" } = process.env;
const fault = JSON.parse(MUTATION_FAULT);

/** Inserts the fault of MUTATION_FAULT when the compiler reads its source. */
const mutation: HardhatPlugin = {
  id: "mutation",
  hookHandlers: {
    solidity: async () => ({
      default: async () => ({
        preprocessProjectFileBeforeBuilding: (context, source, file, content, version, next) =>
          next(context, source, file, insertFault(source, content, fault), version),
      }),
    }),
  },
};

const path = createRequire(import.meta.url).resolve("solc/soljson.js");
const compile = (viaIR: boolean) => ({ version: "0.8.30", path, settings: { evmVersion: "cancun", viaIR } });

/** Compiles fast: without the optimizer, and by way of Yul only where the stack is too small otherwise. */
export default defineConfig({
  ...config,
  plugins: [...(config.plugins ?? []), mutation],
  solidity: { compilers: [compile(false)], overrides: { "contracts/AppRegistry.sol": compile(true) } },
  // The code is larger and costs more than the deployed one; an endless call still runs out of gas.
  networks: {
    default: {
      type: "edr-simulated",
      allowUnlimitedContractSize: true,
      blockGasLimit: 60_000_000n,
      transactionGasCap: false,
    },
  },
  typechain: { dontOverrideCompile: true },
  test: {
    mocha: { reporter: "json", reporterOptions: { output: `${directory}/tests.json` } },
    solidity: { ...config.test?.solidity, gasLimit: 1_000_000_000n },
  },
  paths: { ...config.paths, artifacts: `${directory}/artifacts`, cache: `${directory}/cache` },
});
