/** The contracts' ABIs as const, which type viem and wagmi calls; without bytecode. */
export { appMetadataAbi, appRegistryAbi, resolverAbi } from "../../generated/abi.ts";
