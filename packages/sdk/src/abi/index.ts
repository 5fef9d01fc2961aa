/** The contracts' ABIs as const: they type viem and wagmi, and carry no bytecode. */
export { appMetadataAbi, appRegistryAbi, resolverAbi } from "../../generated/abi.ts";
