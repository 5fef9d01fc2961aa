import hre from "hardhat";
import { openDeployment } from "./deployment/openDeployment.ts";
import { runScript, ScriptError } from "./deployment/runScript.ts";
import { verifyDeployment } from "./deployment/verification.ts";

/**
 * Verifies the contracts of a deployment on the services that hardhat.config.ts has for its chain:
 *
 *     pnpm exec hardhat run scripts/verify.ts --network testnet
 *
 * Environment: `DEPLOYMENT_FILE`, `TESTNET_RPC_URL`, `TESTNET_BLOCKSCOUT_URL`, `SOURCIFY_URL`. It needs no key.
 */
await runScript(async () => {
  const { deployment, ...network } = await openDeployment(hre.globalOptions.network ?? "default", "unused");
  const results = await verifyDeployment(network, deployment);
  console.log();
  for (const { service, contract, problem } of results) {
    console.log(`${service.padEnd(11)} ${contract.padEnd(18)} ${problem ?? "verified"}`);
  }
  const failed = results.filter(({ problem }) => problem !== undefined);
  if (failed.length > 0) throw new ScriptError(`${failed.length} of ${results.length} verifications failed.`);
});
