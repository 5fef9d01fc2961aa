import { verifyContract } from "@nomicfoundation/hardhat-verify/verify";
import { ZeroAddress } from "ethers";
import hre from "hardhat";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import { contractNames, openDeployment } from "./deployment/deploymentFile.ts";
import { oneSentence, runScript } from "./deployment/openNetwork.ts";

const services = ["etherscan", "blockscout", "sourcify"] as const;

/**
 * Verifies the contracts of a deployment, one after another, on the services that hardhat.config.ts lists for its
 * chain:
 *
 *     pnpm exec hardhat run scripts/verify.ts --network testnet
 *
 * Environment: `DEPLOYMENT_FILE`, `TESTNET_RPC_URL`, `TESTNET_BLOCKSCOUT_URL`, `SOURCIFY_URL`. It needs no key.
 */
await runScript(async () => {
  const opened = await openDeployment(hre.globalOptions.network ?? "default", "unused");
  const { chainId, connection, deployment } = opened;
  const { contracts, deployBlock } = deployment;
  const { blockExplorers = {} } = hre.config.chainDescriptors.get(BigInt(chainId)) ?? {};
  const configured = services.filter(
    (service) => hre.config.verify[service].enabled && (service === "sourcify" || service in blockExplorers),
  );
  if (configured.length === 0) {
    throw new Error(
      `No service is configured for chain ${chainId}: set SOURCIFY_URL, or give the chain an explorer in chainDescriptors of hardhat.config.ts.`,
    );
  }
  const { address } = contracts.ResolverWithStore;
  const resolver = await connection.ethers.getContractAt("ResolverWithStore", address);
  const { OwnershipTransferred } = resolver.filters;
  const [owned] = await resolver.queryFilter(OwnershipTransferred(ZeroAddress), deployBlock, deployBlock);
  if (!owned) {
    throw new Error(
      `The RPC has no event of the resolver's creation in block ${deployBlock} of chain ${chainId}.`,
    );
  }
  const times = await Promise.all([resolver.maturation(), resolver.challengePeriod(), resolver.maxTTL()]);
  const constructorArgs = {
    AppRegistry: [address],
    // The registry's constructor creates this contract, which takes no arguments.
    AppMetadata: [],
    ResolverWithStore: [owned.args.newOwner, ...times.map(String)],
  };

  // Use the build profile of the deployment instead of hardhat-verify's "production", and a connection without a key.
  const environment = {
    ...hre,
    globalOptions: { ...hre.globalOptions, buildProfile: "default" },
    network: { ...hre.network, create: async () => connection },
  } as HardhatRuntimeEnvironment;
  const results: string[] = [];
  for (const provider of configured) {
    for (const name of contractNames) {
      const { sourceName } = await hre.artifacts.readArtifact(name);
      const contract = `${sourceName}:${name}`;
      const asked = {
        provider,
        contract,
        address: contracts[name].address,
        constructorArgs: constructorArgs[name],
      };
      const said = await verifyContract(asked, environment).then(() => "verified", oneSentence);
      results.push(`${provider.padEnd(11)} ${name.padEnd(18)} ${said}`);
    }
  }
  console.log(`\n${results.join("\n")}`);
  const failed = results.filter((result) => !result.endsWith(" verified"));
  if (failed.length > 0) throw new Error(`${failed.length} of ${results.length} verifications failed.`);
});
