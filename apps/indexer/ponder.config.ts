import { readFileSync } from "node:fs";
import { LOCAL_CHAIN_ID, parseDeployment } from "@app-registry/sdk";
import { appMetadataAbi, appRegistryAbi, resolverAbi } from "@app-registry/sdk/abi";
import { createConfig } from "ponder";
import { readEnvironment } from "./environment.ts";

const environment = readEnvironment(process.env);
const { chainId, deployBlock, contracts } = parseDeployment(readFileSync(environment.deploymentFile, "utf8"));
if (chainId !== environment.chainId) {
  throw new Error(
    `${environment.deploymentFile} is of chain ${chainId}, but CHAIN_ID is ${environment.chainId}. Set both for the same chain.`,
  );
}

export default createConfig({
  database: environment.database,
  chains: {
    chain: {
      id: chainId,
      rpc: environment.rpcUrls,
      pollingInterval: environment.pollingInterval,
      // A local chain starts anew with other blocks under the same numbers.
      disableCache: chainId === LOCAL_CHAIN_ID,
    },
  },
  contracts: {
    AppRegistry: {
      abi: appRegistryAbi,
      chain: "chain",
      address: contracts.AppRegistry.address,
      startBlock: deployBlock,
    },
    AppMetadata: {
      abi: appMetadataAbi,
      chain: "chain",
      address: contracts.AppMetadata.address,
      startBlock: deployBlock,
    },
    ResolverWithStore: {
      abi: resolverAbi,
      chain: "chain",
      address: contracts.ResolverWithStore.address,
      startBlock: deployBlock,
    },
  },
  blocks: {
    // Live blocks one by one, to know exactly up to which one the tables are true.
    Head: { chain: "chain", startBlock: "latest", interval: 1 },
    // One block, whose hash tells this chain from others of the same id.
    DeploymentBlock: { chain: "chain", startBlock: deployBlock, endBlock: deployBlock, interval: 1 },
  },
});
