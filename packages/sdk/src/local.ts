/** Chain id of a local Hardhat node. Its chain vanishes with its process, and strangers don't reach it. */
export const LOCAL_CHAIN_ID = 31337;

/** The public development mnemonic whose accounts a local Hardhat node funds. Worth nothing on any other chain. */
export const LOCAL_MNEMONIC = "test test test test test test test test test test test junk";

/** Whether a host name is `localhost` or below it (RFC 6761). No address is such a name. */
export const isLocalhostName = (host: string): boolean => /(^|\.)localhost$/.test(host);
