/** ABIs of the contracts as const, from which viem and wagmi infer types. Without bytecode. */
export { appMetadataAbi, appRegistryAbi, resolverAbi } from "./compiled.ts";
