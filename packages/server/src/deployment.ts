import { readFileSync } from "node:fs";
import { type Deployment, parseDeployment } from "@app-registry/sdk";
import { type Environment, InvalidEnvironmentError } from "./environment.ts";

/**
 * Reads the deployment file of a configuration.
 * @throws {InvalidEnvironmentError} if the file can't be read or is for another chain.
 * @throws {InvalidDeploymentError} if its content is invalid.
 * @throws {AbiMismatchError} if the deployment has other contracts.
 */
export function readDeployment({
  deploymentFile,
  chainId,
}: Pick<Environment, "deploymentFile" | "chainId">): Deployment {
  let text: string;
  try {
    text = readFileSync(deploymentFile, "utf8");
  } catch {
    throw new InvalidEnvironmentError([
      `DEPLOYMENT_FILE ${deploymentFile} can't be read: deploy the contracts first`,
    ]);
  }
  const deployment = parseDeployment(text);
  if (deployment.chainId === chainId) return deployment;
  throw new InvalidEnvironmentError([
    `CHAIN_ID is ${chainId}, but ${deploymentFile} is a deployment on chain ${deployment.chainId}`,
  ]);
}
