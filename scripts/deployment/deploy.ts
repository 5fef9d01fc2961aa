import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Deployment, LOCAL_CHAIN_ID } from "@app-registry/sdk";
import { computeAbiHash } from "@app-registry/sdk/internal";
import hre from "hardhat";
import { type Address, formatEther, getAddress } from "viem";
import AppRegistryModule, {
  DEFAULT_CHALLENGE_PERIOD,
  DEFAULT_MATURATION,
  DEFAULT_MAX_TTL,
} from "../../ignition/modules/AppRegistry.ts";
import { contractNames, deploymentFilePath, readDeploymentOn } from "./deploymentFile.ts";
import { firstBlock, reopenJournal } from "./journal.ts";
import type { Network } from "./openNetwork.ts";
import { callResolver, type ResolverCall, readOwnership } from "./resolverCall.ts";
import type { DeploySettings } from "./settings.ts";

const LOCAL_MATURATION = 3600n;

/**
 * Deploys the contracts with Ignition, authorises the issuers and writes the deployment file. Reuses the file's
 * deployment if the chain still has it, so that a second run sends no transaction and does not change the file. Resumes
 * an interrupted deployment. A deployment that failed before its first transaction can be repeated with other settings.
 * On chain 31337, which restarts from an empty state, no earlier deployment is resumed.
 * @throws Error if the file is invalid or names contracts of other sources on a lasting chain, if the deployer can't
 * pay, or if the contracts refuse the settings.
 */
export async function deploy(
  network: Network,
  settings: DeploySettings,
  print: (line: string) => void,
): Promise<Deployment> {
  const { chainId, name, connection } = network;
  const { ISSUER_ADDRESS: issuers, OWNER_ADDRESS: newOwner } = settings;
  const file = settings.DEPLOYMENT_FILE ?? deploymentFilePath(chainId);
  const standing = await readDeploymentOn(network, file);
  if (standing?.problem && chainId !== LOCAL_CHAIN_ID) {
    throw new Error(
      `${standing.problem} To deploy these sources beside them, set DEPLOYMENT_FILE to a new file and move ` +
        `ignition/deployments/chain-${chainId} away.`,
    );
  }
  const isKept = standing !== undefined && standing.problem === undefined;
  if (!isKept) {
    await mkdir(dirname(file), { recursive: true });
    await access(dirname(file), constants.W_OK);
  }
  print(isKept ? `Keeping the deployment of ${file}` : `Deploying to ${name} (chain ${chainId})`);
  const deployment = isKept ? standing.deployment : await deployContracts(network, settings);

  const { address } = deployment.contracts.ResolverWithStore;
  const resolver = await connection.ethers.getContractAt("ResolverWithStore", address);
  const { owner, pendingOwner } = await readOwnership(network, deployment);
  const call = (name: ResolverCall["name"], account: Address) =>
    callResolver(network, deployment, { name, args: [account] }, owner, print);
  const needsFirst = !isKept && issuers.length === 0 && (await resolver.getIssuers()).length === 0;
  for (const issuer of needsFirst ? [getAddress(owner)] : new Set(issuers)) {
    if (!(await resolver.isIssuer(issuer))) await call("addIssuer", issuer);
  }
  if (newOwner && ![owner, pendingOwner].includes(newOwner)) await call("transferOwnership", newOwner);
  for (const [name, fixed] of [
    ["MATURATION", await resolver.maturation()],
    ["CHALLENGE_PERIOD", await resolver.challengePeriod()],
    ["MAX_TTL", await resolver.maxTTL()],
  ] as const) {
    if ((settings[name] ?? fixed) !== fixed)
      print(`${name} is not applied: the resolver's value is fixed at ${fixed} s.`);
  }
  if (!isKept) {
    await writeFile(file, `${JSON.stringify(deployment, null, 2)}\n`);
    print(`Wrote ${file}`);
  }
  return deployment;
}

async function deployContracts(network: Network, settings: DeploySettings): Promise<Deployment> {
  const { name, chainId, connection } = network;
  const local = chainId === LOCAL_CHAIN_ID;
  // The local chain may have restarted, so use a new journal for each run on it.
  const deploymentId = local ? `local-${randomUUID()}` : `chain-${chainId}`;
  const journal = join(hre.config.paths.ignition, "deployments", deploymentId);
  try {
    const sent = await reopenJournal(connection, journal);
    // A resolver that an interrupted run created keeps its times.
    const [, ...kept] = sent.find((transaction) => transaction.name === "ResolverWithStore")?.params ?? [];
    const [
      maturation = settings.MATURATION ?? (local ? LOCAL_MATURATION : DEFAULT_MATURATION),
      challengePeriod = settings.CHALLENGE_PERIOD ?? DEFAULT_CHALLENGE_PERIOD,
      maxTTL = settings.MAX_TTL ?? DEFAULT_MAX_TTL,
    ] = kept as readonly bigint[];
    if (sent.length === 0) await requireFunds(network, [maturation, challengePeriod, maxTTL]);
    const deployed = await connection.ignition.deploy(AppRegistryModule, {
      deploymentId,
      parameters: { AppRegistryModule: { maturation, challengePeriod, maxTTL } },
    });
    const contracts = Object.fromEntries(
      contractNames.map((of) => [
        of,
        { address: getAddress(String(deployed[of].target)), abiHash: computeAbiHash(of) },
      ]),
    ) as Deployment["contracts"];
    const deployBlock = await firstBlock(connection, journal);
    return { chainId, network: name, deployBlock, contracts, compiler: compilerOfBuild() };
  } finally {
    if (local) await rm(journal, { recursive: true, force: true });
  }
}

/** Checks that the contracts can be created and that the deployer can pay for them. Sends no transaction. */
async function requireFunds(
  { connection: { ethers }, signers }: Network,
  times: readonly [bigint, bigint, bigint],
): Promise<void> {
  const { provider } = ethers;
  const deployer = signers[0]?.address ?? "";
  const resolver = await ethers.getContractFactory("ResolverWithStore");
  const registry = await ethers.getContractFactory("AppRegistry");
  let gas = await provider.estimateGas(await resolver.getDeployTransaction(deployer, ...times));
  // The gas of the registry does not depend on the resolver's address, so estimate it with another one.
  gas += await provider.estimateGas(await registry.getDeployTransaction(deployer));
  const cost = gas * ((await provider.getFeeData()).gasPrice ?? 0n);
  const balance = await provider.getBalance(deployer);
  if (balance >= cost) return;
  throw new Error(
    `Nothing was sent: the deployer ${deployer} has ${formatEther(balance)} of the chain's currency, and the deployment costs about ${formatEther(cost)}.`,
  );
}

/** Returns the compiler's version and settings, without the output selection, which does not affect bytecode. */
function compilerOfBuild(): Deployment["compiler"] {
  const [{ version = "", settings = {} } = {}] = hre.config.solidity.profiles.default?.compilers ?? [];
  const { outputSelection: _, ...relevant } = settings as Record<string, unknown>;
  return { version, settings: relevant };
}
