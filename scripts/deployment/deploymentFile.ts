import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type Deployment, parseDeployment } from "@app-registry/sdk";
import { id } from "ethers";
import hre from "hardhat";

/** The contracts of a deployment, in the order of the file. */
export const contractNames = ["AppRegistry", "AppMetadata", "ResolverWithStore"] as const;
export type ContractName = (typeof contractNames)[number];

/** `DEPLOYMENT_FILE`, else `deployments/<chainId>.json` of the checkout. */
export function deploymentFilePath(chainId: number): string {
  return (
    process.env.DEPLOYMENT_FILE ?? new URL(`../../deployments/${chainId}.json`, import.meta.url).pathname
  );
}

/**
 * Reads a deployment file.
 * @returns undefined when there is none.
 * @throws {InvalidDeploymentError} When the file is not a deployment.
 */
export async function readDeployment(file: string): Promise<Deployment | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  return parseDeployment(text);
}

/** Writes a deployment file, and its folder where that is missing. */
export async function writeDeployment(file: string, deployment: Deployment): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(deployment, null, 2)}\n`);
}

/** keccak256 of the JSON text of the ABI of a compiled contract. */
export async function abiHash(contract: ContractName): Promise<`0x${string}`> {
  const { abi } = await hre.artifacts.readArtifact(contract);
  return id(JSON.stringify(abi)) as `0x${string}`;
}

/** Version and settings of the compiler, without the choice of outputs, which does not touch the bytecode. */
export function compilerOfBuild(): Deployment["compiler"] {
  const compiler = hre.config.solidity.profiles.default?.compilers[0];
  if (!compiler) throw new Error("hardhat.config.ts names no Solidity compiler");
  const { outputSelection: _, ...settings } = compiler.settings as Record<string, unknown>;
  return { version: compiler.version, settings };
}
