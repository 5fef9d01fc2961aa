import { createConfig } from "ponder";
import config from "../../../apps/indexer/ponder.config.ts";

/** Configuration with the indexer's chain, database and events. */
const { database, chains, contracts, blocks } = config;

export default createConfig({
  ...(database && { database }),
  chains,
  contracts,
  blocks: { DeploymentBlock: blocks.DeploymentBlock },
});
