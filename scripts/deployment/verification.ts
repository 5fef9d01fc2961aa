import type { Deployment } from "@app-registry/sdk";
import { verifyContract } from "@nomicfoundation/hardhat-verify/verify";
import { ZeroAddress } from "ethers";
import hre from "hardhat";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import { type ContractName, contractNames } from "./deploymentFile.ts";
import type { Network } from "./openNetwork.ts";
import { oneSentence, ScriptError } from "./runScript.ts";

const services = ["etherscan", "blockscout", "sourcify"] as const;
type Service = (typeof services)[number];

/** What a service said of a contract; `problem` is absent when it is verified there. */
export interface Verification {
  service: Service;
  contract: ContractName;
  problem?: string;
}

/**
 * Verifies the three contracts of a deployment on every service that hardhat.config.ts has for its chain, one after
 * another; a contract that is already verified counts as verified. A failure does not keep the others from their turn.
 * @throws {ScriptError} When no service is configured for the chain.
 */
export async function verifyDeployment(network: Network, deployment: Deployment): Promise<Verification[]> {
  const configured = configuredServices(network.chainId);
  if (configured.length === 0) {
    throw new ScriptError(
      `No service is configured for chain ${network.chainId}: set SOURCIFY_URL, or give the chain an explorer in chainDescriptors of hardhat.config.ts.`,
    );
  }
  const constructorArgs = await readConstructorArguments(network, deployment);
  const environment = await verifyingEnvironment(network.name);
  const results: Verification[] = [];
  for (const service of configured) {
    for (const contract of contractNames) {
      const result: Verification = { service, contract };
      const { sourceName } = await hre.artifacts.readArtifact(contract);
      const asked = {
        address: deployment.contracts[contract].address,
        constructorArgs: constructorArgs[contract],
        contract: `${sourceName}:${contract}`,
        provider: service,
      };
      await verifyContract(asked, environment).catch((error: unknown) => {
        result.problem = oneSentence(error);
      });
      results.push(result);
    }
  }
  return results;
}

function configuredServices(chainId: number): Service[] {
  const explorers: Partial<Record<Service, object>> =
    hre.config.chainDescriptors.get(BigInt(chainId))?.blockExplorers ?? {};
  return services.filter(
    (service) =>
      hre.config.verify[service].enabled && (service === "sourcify" || explorers[service] !== undefined),
  );
}

/** What the constructors were called with; the resolver's events of its creation tell. */
async function readConstructorArguments(
  { connection, chainId }: Network,
  { contracts, deployBlock }: Deployment,
): Promise<Record<ContractName, string[]>> {
  const { address } = contracts.ResolverWithStore;
  const resolver = await connection.ethers.getContractAt("ResolverWithStore", address);
  const { OwnershipTransferred, MaturationUpdated } = resolver.filters;
  const [owned] = await resolver.queryFilter(OwnershipTransferred(ZeroAddress), deployBlock, deployBlock);
  const [set] = await resolver.queryFilter(MaturationUpdated(), deployBlock, deployBlock);
  if (!owned || !set) {
    throw new ScriptError(
      `The RPC has no events of the resolver's creation in block ${deployBlock} of chain ${chainId}.`,
    );
  }
  return {
    AppRegistry: [address],
    // The registry's constructor creates it.
    AppMetadata: [],
    ResolverWithStore: [owned.args.newOwner, String(set.args.newMaturation)],
  };
}

/**
 * Hardhat as verifying needs it: without the network's accounts, because it signs nothing and must not ask for a key;
 * and with the profile that the contracts were deployed from, where hardhat-verify would take "production".
 */
async function verifyingEnvironment(network: string): Promise<HardhatRuntimeEnvironment> {
  const { networks = {} } = hre.userConfig;
  const settings = networks[network];
  if (settings?.type !== "http") throw new Error(`${network} is no network of an RPC`);
  const { config, root } = hre.config.paths;
  return createHardhatRuntimeEnvironment(
    { ...hre.userConfig, networks: { ...networks, [network]: { ...settings, accounts: "remote" } } },
    { network, buildProfile: "default", ...(config ? { config } : {}) },
    root,
  );
}
