import hre from "hardhat";
import { deploy } from "./deployment/deploy.ts";
import { readDeployment } from "./deployment/deploymentFile.ts";
import { oneSentence, openNetwork, runScript } from "./deployment/openNetwork.ts";
import { readSettings } from "./deployment/settings.ts";
import { printStep } from "./stack/processes.ts";

/**
 * Deploys the contracts to a network of hardhat.config.ts:
 *
 *     pnpm exec hardhat run scripts/deploy.ts --network testnet
 *
 * Environment: `ISSUER_ADDRESS` (one or more, comma-separated; default the deployer of new contracts), `MATURATION`
 * (seconds; default 3600 on chain 31337, 172800 elsewhere), `CHALLENGE_PERIOD` and `MAX_TTL` (seconds; default 604800
 * and 31536000), `OWNER_ADDRESS` (account to offer the resolver's ownership to), `DEPLOYMENT_FILE`.
 */
await runScript(async () => {
  const { DEPLOYMENT_FILE: file } = process.env;
  const checks = await Promise.allSettled([
    readSettings(process.env),
    openNetwork(hre.globalOptions.network ?? "default", "required"),
    file ? readDeployment(file) : undefined,
  ]);
  const problems = checks.flatMap((check) =>
    check.status === "rejected" ? [oneSentence(check.reason)] : [],
  );
  const [settings, network] = checks;
  if (problems.length > 0 || settings.status === "rejected" || network.status === "rejected") {
    throw new Error(`Nothing was sent: ${problems.join("; ")}`);
  }
  const deployment = await printStep("deployment", () => deploy(network.value, settings.value, console.log));
  for (const [contract, { address }] of Object.entries(deployment.contracts)) {
    console.log(`${contract.padEnd(18)} ${address}`);
  }
});
