import { defineConfig } from "hardhat/config";
import config from "../../hardhat.config.ts";

/**
 * The tests as `pnpm mutate` runs them: with artifacts of the worker's own, whose code is larger and dearer than the
 * one that is deployed. A call that never ends still runs out of gas.
 */
const directory = process.env.MUTATION_WORKER ?? ".local/mutation/worker";

export default defineConfig({
  ...config,
  networks: {
    ...config.networks,
    default: {
      type: "edr-simulated",
      allowUnlimitedContractSize: true,
      blockGasLimit: 60_000_000n,
      transactionGasCap: false,
    },
  },
  test: { solidity: { ...config.test?.solidity, gasLimit: 1_000_000_000n } },
  paths: {
    ...config.paths,
    artifacts: `${directory}/artifacts`,
    cache: `${directory}/cache`,
  },
});
