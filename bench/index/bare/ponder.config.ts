import { createConfig } from "ponder";
import config from "../../../apps/indexer/ponder.config.ts";

/** The same chain, contracts and database as the indexer's. */
const { database, chains, contracts } = config;

export default createConfig({ ...(database && { database }), chains, contracts });
