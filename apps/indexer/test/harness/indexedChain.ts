import type { Chain, Indexer } from "@app-registry/test-kit/startIndexer";

/** Chain and its index, on which several groups of tests run. */
export type IndexedChain = { chain: Chain; indexer: Indexer };

/** Settings without off-chain documents, whose time of arrival does not depend on the chain. */
export const indexerOptions = { environment: { OFFCHAIN_DOCUMENTS: "off" } };
