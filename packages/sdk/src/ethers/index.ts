export type { AppMetadata } from "../../generated/ethers/AppMetadata.ts";
export type { AppRegistry } from "../../generated/ethers/AppRegistry.ts";
export { AppMetadata__factory } from "../../generated/ethers/factories/AppMetadata__factory.ts";
export { AppRegistry__factory } from "../../generated/ethers/factories/AppRegistry__factory.ts";
export { ResolverWithStore__factory } from "../../generated/ethers/factories/ResolverWithStore__factory.ts";
export type { ResolverWithStore } from "../../generated/ethers/ResolverWithStore.ts";
export { EthersProviderError, fromEthersSigner } from "./fromEthersSigner.ts";
