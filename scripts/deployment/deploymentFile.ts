import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Deployment, parseDeployment } from "@app-registry/sdk";
import { computeAbiHash } from "@app-registry/sdk/internal";
import { type Network, oneSentence, openNetwork } from "./openNetwork.ts";

/** Contracts of a deployment, in the order of the file. */
export const contractNames = ["AppRegistry", "AppMetadata", "ResolverWithStore"] as const;

/** Returns `DEPLOYMENT_FILE`, else `deployments/<chainId>.json` of the checkout. */
export const deploymentFilePath = (chainId: number): string =>
  process.env.DEPLOYMENT_FILE || fileURLToPath(new URL(`../../deployments/${chainId}.json`, import.meta.url));

/**
 * Reads a deployment file, also of contracts from other sources.
 * @returns `undefined` if the file does not exist.
 * @throws Error if the file can't be read or is not a deployment.
 */
export async function readDeployment(file: string): Promise<Deployment | undefined> {
  try {
    return parseDeployment(await readFile(file, "utf8"), { anyAbi: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`${file}: ${oneSentence(error)}`);
  }
}

/**
 * Compares the deployment of a file with a chain.
 * @returns The deployment, and a problem if the chain lacks its contracts or they come from other sources.
 * @throws Error if the file can't be read, is not a deployment, or describes another chain.
 */
export async function readDeploymentOn({ chainId, connection }: Network, file: string) {
  const deployment = await readDeployment(file);
  if (!deployment) return undefined;
  if (deployment.chainId !== chainId) {
    throw new Error(`${file} describes chain ${deployment.chainId}, but the network is chain ${chainId}.`);
  }
  const others: string[] = [];
  for (const name of contractNames) {
    const { address, abiHash: recorded } = deployment.contracts[name];
    const code = await connection.ethers.provider.getCode(address);
    if (code === "0x" || recorded !== computeAbiHash(name)) others.push(name);
  }
  const problem = `${file} names contracts that are not on the chain or that other sources have built: ${others.join(", ")}.`;
  return { deployment, problem: others.length > 0 ? problem : undefined };
}

/**
 * Opens a network and its deployment from DEPLOYMENT_FILE, or else from deployments/<chainId>.json.
 * @param accounts See {@link openNetwork}.
 * @throws Error if the network's chain has no such deployment.
 */
export async function openDeployment(
  name: string,
  accounts: Parameters<typeof openNetwork>[1],
): Promise<Network & { deployment: Deployment }> {
  const network = await openNetwork(name, accounts);
  const file = deploymentFilePath(network.chainId);
  const read = await readDeploymentOn(network, file);
  if (!read) throw new Error(`There is no ${file}: deploy first, or set DEPLOYMENT_FILE.`);
  if (read.problem) throw new Error(read.problem);
  return { ...network, deployment: read.deployment };
}
