/** Chain id of a local Hardhat node. Its chain ends with its process, and other machines cannot reach it. */
export const LOCAL_CHAIN_ID = 31337;

/** Public development mnemonic whose accounts a local Hardhat node funds. It has no value on any other chain. */
export const LOCAL_MNEMONIC = "test test test test test test test test test test test junk";

/** Returns true if a host name is `localhost` or below it (RFC 6761). IP addresses are not such names. */
export const isLocalhostName = (host: string): boolean => /(^|\.)localhost$/.test(host);
