import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Deployment } from "@app-registry/sdk";
import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { HardhatArtifactResolver } from "@nomicfoundation/hardhat-ignition/helpers";
import { listTransactions } from "@nomicfoundation/ignition-core";
import hre from "hardhat";
import type { NetworkConnection } from "hardhat/types/network";
import { type Address, getAddress } from "viem";
import AppRegistryModule, { DEFAULT_MATURATION } from "../../ignition/modules/AppRegistry.ts";
import {
  abiHash,
  compilerOfBuild,
  contractNames,
  deploymentFilePath,
  readDeployment,
  writeDeployment,
} from "./deploymentFile.ts";

/** A chain that vanishes with its process. */
const LOCAL_CHAIN_ID = 31337;
const LOCAL_MATURATION = 3600n;

export interface DeployParameters {
  /** An open connection to the network, `await network.create("localhost")`. */
  connection: NetworkConnection;
  /** Accounts to authorise as issuers; default: the deployer, when the contracts are deployed anew. */
  issuers?: readonly string[];
  /** Wait of a newcomer in seconds; default one hour on chain 31337, 48 hours elsewhere. */
  maturation?: bigint;
  /** Account that is offered the ownership of the resolver; it must accept. Default: the deployer keeps it. */
  owner?: string;
  /** Deployment file; default `DEPLOYMENT_FILE`, else `deployments/<chainId>.json`. */
  file?: string;
  onProgress?: (message: string) => void;
}

/**
 * Deploys the contracts by Ignition, authorises the issuers and writes the deployment file. A deployment that the
 * file names and the chain still has is kept, so that a second run sends no transaction and leaves the file as it is.
 * An interrupted deployment is taken up where it stopped; on chain 31337, whose chains vanish, it starts anew.
 * @throws When the file names contracts on a lasting chain that these sources have not built.
 */
export async function deploy(parameters: DeployParameters): Promise<Deployment> {
  const { connection } = parameters;
  const progress = parameters.onProgress ?? (() => {});
  const chainId = Number((await connection.ethers.provider.getNetwork()).chainId);
  const [deployer] = await connection.ethers.getSigners();
  if (!deployer) throw new Error(`The network ${connection.networkName} has no account to deploy from`);
  const issuers = (parameters.issuers ?? []).map((issuer) => getAddress(issuer));
  const maturation =
    parameters.maturation ?? (chainId === LOCAL_CHAIN_ID ? LOCAL_MATURATION : DEFAULT_MATURATION);
  const file = parameters.file ?? deploymentFilePath(chainId);

  let deployment = await readStandingDeployment(connection.ethers, file, chainId);
  if (deployment) {
    progress(`Keeping the deployment of ${file}`);
  } else {
    progress(`Deploying to ${connection.networkName} (chain ${chainId}) from ${deployer.address}`);
    deployment = await deployAnew(connection, chainId, {
      maturation,
      issuer: issuers[0] ?? getAddress(deployer.address),
    });
    await writeDeployment(file, deployment);
    progress(`Wrote ${file}`);
  }
  await settlePolicy(connection.ethers, deployment, issuers, parameters.owner, progress);
  return deployment;
}

/** The deployment of the file, when its contracts stand on this chain and are those of these sources. */
async function readStandingDeployment(
  ethers: HardhatEthers,
  file: string,
  chainId: number,
): Promise<Deployment | undefined> {
  const deployment = await readDeployment(file);
  if (!deployment) return undefined;
  if (deployment.chainId !== chainId) {
    throw new Error(`${file} describes chain ${deployment.chainId}, but the network is chain ${chainId}`);
  }
  const changed: string[] = [];
  for (const name of contractNames) {
    const { address, abiHash: recorded } = deployment.contracts[name];
    const code = await ethers.provider.getCode(address);
    if (code === "0x" || recorded !== (await abiHash(name))) changed.push(name);
  }
  if (changed.length === 0) return deployment;
  if (chainId === LOCAL_CHAIN_ID) return undefined;
  throw new Error(
    `${file} names contracts that are not on the chain or that other sources have built: ${changed.join(", ")}. ` +
      "To deploy these sources beside them, set DEPLOYMENT_FILE to a new file and move ignition/deployments/" +
      `chain-${chainId} away.`,
  );
}

async function deployAnew(
  connection: NetworkConnection,
  chainId: number,
  parameters: { maturation: bigint; issuer: Address },
): Promise<Deployment> {
  const local = chainId === LOCAL_CHAIN_ID;
  // A journal of a local chain describes a chain that may be gone, so it ends with the run that wrote it.
  const deploymentId = local ? `local-${randomUUID()}` : `chain-${chainId}`;
  const journal = join(hre.config.paths.ignition, "deployments", deploymentId);
  try {
    const { registry, metadata, resolver } = await connection.ignition.deploy(AppRegistryModule, {
      deploymentId,
      parameters: { AppRegistryModule: parameters },
    });
    const contract = async (name: (typeof contractNames)[number], { target }: { target: unknown }) => ({
      address: getAddress(String(target)),
      abiHash: await abiHash(name),
    });
    return {
      chainId,
      network: connection.networkName,
      deployBlock: await firstBlock(connection.ethers, journal),
      contracts: {
        AppRegistry: await contract("AppRegistry", registry),
        AppMetadata: await contract("AppMetadata", metadata),
        ResolverWithStore: await contract("ResolverWithStore", resolver),
      },
      compiler: compilerOfBuild(),
    };
  } finally {
    if (local) await rm(journal, { recursive: true, force: true });
  }
}

/** The block of the first transaction of a deployment. */
async function firstBlock(ethers: HardhatEthers, journal: string): Promise<number> {
  const blocks: number[] = [];
  for (const { txHash } of await listTransactions(journal, new HardhatArtifactResolver(hre.artifacts))) {
    const receipt = await ethers.provider.getTransactionReceipt(txHash);
    if (receipt) blocks.push(receipt.blockNumber);
  }
  return Math.min(...blocks);
}

/** Authorises the issuers that are not yet, and offers the ownership of the resolver. */
async function settlePolicy(
  ethers: HardhatEthers,
  deployment: Deployment,
  issuers: readonly Address[],
  owner: string | undefined,
  progress: (message: string) => void,
): Promise<void> {
  const resolver = await ethers.getContractAt(
    "ResolverWithStore",
    deployment.contracts.ResolverWithStore.address,
  );
  for (const issuer of issuers) {
    if (await resolver.isIssuer(issuer)) continue;
    await (await resolver.addIssuer(issuer)).wait();
    progress(`Authorised the issuer ${issuer}`);
  }
  if (owner === undefined) return;
  const offered = [await resolver.owner(), await resolver.pendingOwner()];
  if (offered.includes(getAddress(owner))) return;
  await (await resolver.transferOwnership(owner)).wait();
  progress(`Offered the ownership of the resolver to ${owner}, who must call acceptOwnership`);
}
