import type { Deployment } from "@app-registry/sdk";
import { contractNames, deploymentFilePath, readDeployment } from "./deploymentFile.ts";
import { type Network, openNetwork } from "./openNetwork.ts";
import { ScriptError } from "./runScript.ts";

/**
 * Opens a network and the deployment on it that DEPLOYMENT_FILE, else deployments/<chainId>.json, names.
 * @param accounts As of {@link openNetwork}.
 * @throws {ScriptError} When there is no such deployment on the network's chain.
 */
export async function openDeployment(
  name: string,
  accounts: Parameters<typeof openNetwork>[1],
): Promise<Network & { deployment: Deployment }> {
  const network = await openNetwork(name, accounts);
  const { chainId, connection } = network;
  const file = deploymentFilePath(chainId);
  const deployment = await readDeployment(file);
  if (!deployment) throw new ScriptError(`There is no ${file}: deploy first, or set DEPLOYMENT_FILE.`);
  if (deployment.chainId !== chainId) {
    throw new ScriptError(
      `${file} describes chain ${deployment.chainId}, but network ${name} is chain ${chainId}.`,
    );
  }
  for (const contract of contractNames) {
    const { address } = deployment.contracts[contract];
    if ((await connection.ethers.provider.getCode(address)) !== "0x") continue;
    throw new ScriptError(`${file} names ${contract} at ${address}, where chain ${chainId} has no contract.`);
  }
  return { ...network, deployment };
}
