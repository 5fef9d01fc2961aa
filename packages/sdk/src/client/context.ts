import type { Abi, Address, Client, Hex } from "viem";
import { appMetadataAbi, appRegistryAbi, resolverAbi } from "../abi/index.ts";
import type { Deployment } from "../deployment.ts";
import { hashCanonicalDid, normalizeDid } from "../did.ts";

/** Deployment and clients that every function of the client uses. */
export type ClientContext = {
  deployment: Deployment;
  /**
   * Reads the chain: a viem PublicClient, or any viem Client with a transport. In an {@link AppRegistryClient} it
   * responds only while its RPC serves the deployment's chain.
   */
  publicClient: Client;
  /** Signs and sends: a viem WalletClient. Needed for writes only. */
  walletClient?: Client | undefined;
  /** Origin of the registry's web service; only `waitUntilIndexed` and `publishApp` use it. */
  baseUrl?: string | undefined;
};

/** Block at which to read, so that several reads agree. Default: the latest. */
export type BlockParameter = { blockNumber?: bigint | undefined };

/** Contract call that can be previewed, batched, simulated or sent. */
export type PreparedCall = {
  address: Address;
  abi: Abi;
  functionName: string;
  args: readonly unknown[];
};

/**
 * Returns the didHash of a DID that a person typed.
 *
 * @throws {InvalidDidError}
 */
export const toDidHash = (did: string): Hex => hashCanonicalDid(normalizeDid(did));

export const registryContract = ({ deployment }: ClientContext) =>
  ({ address: deployment.contracts.AppRegistry.address, abi: appRegistryAbi }) as const;

export const metadataContract = ({ deployment }: ClientContext) =>
  ({ address: deployment.contracts.AppMetadata.address, abi: appMetadataAbi }) as const;

export const resolverContract = ({ deployment }: ClientContext) =>
  ({ address: deployment.contracts.ResolverWithStore.address, abi: resolverAbi }) as const;
