import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Deployment, LOCAL_CHAIN_ID } from "@app-registry/sdk";
import hre from "hardhat";
import type { NetworkConnection } from "hardhat/types/network";
import { type Address, formatEther, getAddress } from "viem";
import AppRegistryModule, { DEFAULT_MATURATION } from "../../ignition/modules/AppRegistry.ts";
import {
  abiHash,
  compilerOfBuild,
  contractNames,
  deploymentFilePath,
  prepareDeploymentFile,
  readDeployment,
  writeDeployment,
} from "./deploymentFile.ts";
import { firstBlock, reopenJournal, sentArgument } from "./journal.ts";
import type { Network } from "./openNetwork.ts";
import { callResolver, readOwnership } from "./resolverCall.ts";
import { ScriptError } from "./runScript.ts";
import type { DeploySettings } from "./settings.ts";

const LOCAL_MATURATION = 3600n;

/**
 * Deploys the contracts by Ignition, authorises the issuers and writes the deployment file. A deployment that the
 * file names and the chain still has is kept, so that a second run sends no transaction and leaves the file as it is.
 * An interrupted deployment is taken up where it stopped, and one that failed before it sent anything can be repeated
 * with other settings; on chain 31337, whose chains vanish, every deployment starts anew.
 *
 * Without `issuers` the deployer becomes the issuer of new contracts. `maturation` has a default of one hour on chain
 * 31337 and of 48 hours elsewhere, `file` of `deployments/<chainId>.json`.
 * @throws {ScriptError} When the file can't be used or names contracts on a lasting chain that these sources have not
 * built, when the deployer can't pay, or when the contracts refuse what is asked for.
 */
export async function deploy(
  network: Network,
  settings: DeploySettings,
  print: (line: string) => void,
): Promise<Deployment> {
  const { chainId, name, signers } = network;
  const [deployer] = signers;
  if (!deployer) throw new ScriptError(`The network ${name} has no account to deploy from.`);
  const file = settings.file ?? deploymentFilePath(chainId);

  const standing = await readStandingDeployment(network, file);
  if (standing) {
    print(`Keeping the deployment of ${file}`);
    await settlePolicy(network, standing, settings, settings.issuers, print);
    return standing;
  }
  await prepareDeploymentFile(file);
  print(`Deploying to ${name} (chain ${chainId}) from ${deployer.address}`);
  const deployment = await deployAnew(network, deployer.address, settings.maturation);
  await settlePolicy(network, deployment, settings, await firstIssuers(network, deployment, settings), print);
  await writeDeployment(file, deployment);
  print(`Wrote ${file}`);
  return deployment;
}

/** The deployment of the file, when its contracts stand on this chain and are those of these sources. */
async function readStandingDeployment(
  { chainId, connection }: Network,
  file: string,
): Promise<Deployment | undefined> {
  const deployment = await readDeployment(file, { anyAbi: true });
  if (!deployment) return undefined;
  if (deployment.chainId !== chainId) {
    throw new ScriptError(
      `${file} describes chain ${deployment.chainId}, but the network is chain ${chainId}.`,
    );
  }
  const changed: string[] = [];
  for (const name of contractNames) {
    const { address, abiHash: recorded } = deployment.contracts[name];
    const code = await connection.ethers.provider.getCode(address);
    if (code === "0x" || recorded !== (await abiHash(name))) changed.push(name);
  }
  if (changed.length === 0) return deployment;
  if (chainId === LOCAL_CHAIN_ID) return undefined;
  throw new ScriptError(
    `${file} names contracts that are not on the chain or that other sources have built: ${changed.join(", ")}. ` +
      "To deploy these sources beside them, set DEPLOYMENT_FILE to a new file and move ignition/deployments/" +
      `chain-${chainId} away.`,
  );
}

async function deployAnew(
  { name, chainId, connection }: Network,
  deployer: string,
  wanted: bigint | undefined,
): Promise<Deployment> {
  const local = chainId === LOCAL_CHAIN_ID;
  // A journal of a local chain describes a chain that may be gone, so it ends with the run that wrote it.
  const deploymentId = local ? `local-${randomUUID()}` : `chain-${chainId}`;
  const journal = join(hre.config.paths.ignition, "deployments", deploymentId);
  try {
    const sent = await reopenJournal(connection, journal, deployer);
    // A resolver that is already on its way keeps the wait that it was created with.
    const maturation =
      sentArgument(sent, "ResolverWithStore") ?? wanted ?? (local ? LOCAL_MATURATION : DEFAULT_MATURATION);
    if (!sent) await requireFunds(connection, deployer, maturation);
    const { registry, metadata, resolver } = await connection.ignition.deploy(AppRegistryModule, {
      deploymentId,
      parameters: { AppRegistryModule: { maturation } },
    });
    const contract = async (of: (typeof contractNames)[number], { target }: { target: unknown }) => ({
      address: getAddress(String(target)),
      abiHash: await abiHash(of),
    });
    return {
      chainId,
      network: name,
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

/** Before anything is sent: that the contracts can be created, and that the deployer can pay for it. */
async function requireFunds(
  { ethers }: NetworkConnection,
  deployer: string,
  maturation: bigint,
): Promise<void> {
  const resolver = await ethers.getContractFactory("ResolverWithStore");
  const registry = await ethers.getContractFactory("AppRegistry");
  const creations = [
    await resolver.getDeployTransaction(deployer, maturation),
    // Its price does not depend on which address is the resolver's.
    await registry.getDeployTransaction(deployer),
  ];
  let gas = 0n;
  for (const creation of creations) gas += await ethers.provider.estimateGas({ ...creation, from: deployer });
  const { gasPrice } = await ethers.provider.getFeeData();
  const cost = gas * (gasPrice ?? 0n);
  const balance = await ethers.provider.getBalance(deployer);
  if (balance < cost) {
    throw new ScriptError(
      `Nothing was sent: the deployer ${deployer} has ${formatEther(balance)} of the chain's currency, and the deployment costs about ${formatEther(cost)}.`,
    );
  }
}

/** The issuers of new contracts: those asked for, else the deployer, while there is none. */
async function firstIssuers(
  { connection, signers }: Network,
  { contracts }: Deployment,
  { issuers }: DeploySettings,
): Promise<readonly Address[]> {
  if (issuers.length > 0) return issuers;
  const { address } = contracts.ResolverWithStore;
  const resolver = await connection.ethers.getContractAt("ResolverWithStore", address);
  if ((await resolver.getIssuers()).length > 0) return [];
  return signers.slice(0, 1).map((signer) => getAddress(signer.address));
}

/** Authorises the issuers that are not yet, and offers the ownership of the resolver. */
async function settlePolicy(
  network: Network,
  deployment: Deployment,
  { owner, maturation }: DeploySettings,
  issuers: readonly Address[],
  print: (line: string) => void,
): Promise<void> {
  const { ethers } = network.connection;
  const { address } = deployment.contracts.ResolverWithStore;
  const resolver = await ethers.getContractAt("ResolverWithStore", address);
  const current = await readOwnership(network.connection, deployment);
  for (const issuer of issuers) {
    if (await resolver.isIssuer(issuer)) continue;
    await callResolver(
      network,
      deployment,
      { name: "addIssuer", args: [issuer], from: current.owner },
      print,
    );
  }
  const isSettled = owner === undefined || [current.owner, current.pendingOwner].includes(owner);
  if (!isSettled) {
    const call = { name: "transferOwnership", args: [owner], from: current.owner } as const;
    await callResolver(network, deployment, call, print);
  }
  const wait = await resolver.maturation();
  if (maturation !== undefined && maturation !== wait) {
    print(`MATURATION is not applied: the resolver has ${wait} s, which its owner changes by setMaturation.`);
  }
}
