import hre from "hardhat";
import { deploy } from "./deployment/deploy.ts";
import { deploymentFilePath, readDeployment } from "./deployment/deploymentFile.ts";
import { networkProblems, openNetwork } from "./deployment/openNetwork.ts";
import { oneSentence, runScript } from "./deployment/runScript.ts";
import { readSettings, refuse } from "./deployment/settings.ts";

/**
 * Deploys the contracts to a network of hardhat.config.ts:
 *
 *     pnpm exec hardhat run scripts/deploy.ts --network testnet
 *
 * Environment: `ISSUER_ADDRESS` (one or more, comma-separated; default the deployer of new contracts), `MATURATION`
 * (seconds; default 3600 on chain 31337, 172800 elsewhere), `OWNER_ADDRESS` (offered the resolver's ownership),
 * `DEPLOYMENT_FILE`.
 */
await runScript(async () => {
  const name = hre.globalOptions.network ?? "default";
  const problems: string[] = [];
  const settings = readSettings(process.env, problems);
  problems.push(...(await networkProblems(name, "required")));
  const file = settings.file ?? knownFile(name);
  if (file) await readDeployment(file).catch((error: unknown) => problems.push(oneSentence(error)));
  refuse(problems);

  const deployment = await deploy(await openNetwork(name, "required"), settings, console.log);
  for (const [contract, { address }] of Object.entries(deployment.contracts)) {
    console.log(`${contract.padEnd(18)} ${address}`);
  }
});

/** The default file, where hardhat.config.ts says which chain the network is. */
function knownFile(name: string): string | undefined {
  const chainId = hre.config.networks[name]?.chainId;
  return chainId === undefined ? undefined : deploymentFilePath(chainId);
}
