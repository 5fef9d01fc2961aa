import { constants } from "node:fs";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import {
  AbiMismatchError,
  type Deployment,
  InvalidDeploymentError,
  parseDeployment,
} from "@app-registry/sdk";
import { id } from "ethers";
import hre from "hardhat";
import { withoutInternalTypes } from "../stack/buildContracts.ts";
import { ScriptError } from "./runScript.ts";

/** The contracts of a deployment, in the order of the file. */
export const contractNames = ["AppRegistry", "AppMetadata", "ResolverWithStore"] as const;
export type ContractName = (typeof contractNames)[number];

/** `DEPLOYMENT_FILE`, else `deployments/<chainId>.json` of the checkout. */
export function deploymentFilePath(chainId: number): string {
  return (
    process.env.DEPLOYMENT_FILE ||
    fileURLToPath(new URL(`../../deployments/${chainId}.json`, import.meta.url))
  );
}

/**
 * Reads a deployment file.
 * @param options.anyAbi Also of contracts that other sources have built.
 * @returns undefined when there is none.
 * @throws {ScriptError} When it can't be read, is not a deployment, or is one of contracts with another ABI.
 */
export async function readDeployment(
  file: string,
  options: { anyAbi?: boolean } = {},
): Promise<Deployment | undefined> {
  try {
    return parseDeployment(await readFile(file, "utf8"), options);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw unusable(file, error);
  }
}

/**
 * Makes the folder of a deployment file.
 * @throws {ScriptError} When the file can't be written there.
 */
export async function prepareDeploymentFile(file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await access(dirname(file), constants.W_OK);
    await access(file, constants.W_OK);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw unusable(file, error);
  }
}

/** Writes a deployment file. */
export async function writeDeployment(file: string, deployment: Deployment): Promise<void> {
  await writeFile(file, `${JSON.stringify(deployment, null, 2)}\n`);
}

/** keccak256 of the JSON text of the ABI of a contract as it is compiled now. */
export async function abiHash(contract: ContractName): Promise<`0x${string}`> {
  const { abi } = await hre.artifacts.readArtifact(contract);
  return id(JSON.stringify(withoutInternalTypes(abi))) as `0x${string}`;
}

/** Version and settings of the compiler, without the choice of outputs, which does not touch the bytecode. */
export function compilerOfBuild(): Deployment["compiler"] {
  const compiler = hre.config.solidity.profiles.default?.compilers[0];
  if (!compiler) throw new Error("hardhat.config.ts names no Solidity compiler");
  const { outputSelection: _, ...settings } = compiler.settings as Record<string, unknown>;
  return { version: compiler.version, settings };
}

const fileProblems: Record<string, string> = {
  EISDIR: "is a folder",
  ENOTDIR: "is inside something that is not a folder",
  EEXIST: "is inside something that is not a folder",
  EACCES: "may not be read and written by this user",
  EPERM: "may not be read and written by this user",
  EROFS: "is on a file system that can't be written",
};

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function unusable(file: string, error: unknown): ScriptError {
  if (error instanceof AbiMismatchError) return new ScriptError(`${file}: ${error.shortMessage}`);
  const reason =
    error instanceof InvalidDeploymentError
      ? `is not a deployment (${error.problems.join("; ")})`
      : (fileProblems[codeOf(error) ?? ""] ?? `can't be used (${codeOf(error)})`);
  return new ScriptError(`the deployment file ${file} ${reason}`);
}
