import { LOCAL_CHAIN_ID } from "@app-registry/sdk";
import { appMetadataAbi, appRegistryAbi, resolverAbi } from "@app-registry/sdk/abi";
import { readDeployment } from "@app-registry/server/connections";
import { createConfig } from "ponder";
import { committedConnection } from "./committedConnection.ts";
import { environment } from "./environment.ts";

const { databaseUrl, rpcUrls, pollingInterval } = environment;
const { chainId, deployBlock, contracts } = readDeployment(environment);

export default createConfig({
  database: { kind: "postgres", connectionString: databaseUrl, poolConfig: committedConnection },
  chains: {
    chain: {
      id: chainId,
      rpc: [...rpcUrls],
      pollingInterval,
      // A restarted local chain has different blocks under the same numbers.
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
    // Index every live block, so that the API can state the block of its answers.
    Head: { chain: "chain", startBlock: "latest", interval: 1 },
    // The hash of this block distinguishes this chain from others with the same id.
    DeploymentBlock: { chain: "chain", startBlock: deployBlock, endBlock: deployBlock, interval: 1 },
  },
});
