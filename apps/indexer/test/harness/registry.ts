import {
  type AppRegistryClient,
  canonicalizeValue,
  createAppRegistryClient,
  dataHash,
  normalizeDid,
  traitHash,
  type Version,
} from "@app-registry/sdk";
import type { Chain } from "@app-registry/test-kit/startIndexer";
import { type Account, createPublicClient, createWalletClient, type Hash, http } from "viem";
import { hardhat } from "viem/chains";
import { ISSUER_INDEX, localAccount } from "../../../../scripts/stack/accounts.ts";

/** Service that a test registers. */
export type TestService = {
  did: string;
  interfaces?: number;
  version?: Version;
  metadata: Record<string, unknown>;
  /** Default: the hashes of the metadata's traits. */
  traits?: string[];
  algorithm?: 0 | 1;
  /** False if the JSON is only at dataUrl. */
  onChain?: boolean;
  dataUrl?: string;
  /** JSON text to store unchanged, instead of the canonical form of `metadata`. */
  text?: string;
};

/** Creates a client that writes to a chain as one account. */
export function createClient(chain: Chain, account: Account): AppRegistryClient {
  const transport = http(chain.rpcUrl);
  return createAppRegistryClient({
    deployment: chain.deployment,
    publicClient: createPublicClient({ chain: hardhat, transport, pollingInterval: 50 }),
    walletClient: createWalletClient({ chain: hardhat, transport, account }),
  });
}

/** Returns the issuer's client. */
export const getIssuer = (chain: Chain) => createClient(chain, localAccount(ISSUER_INDEX));

/** Waits for a transaction and returns its block. */
export async function mined(client: AppRegistryClient, hash: Promise<Hash>): Promise<number> {
  const receipt = await client.waitForReceipt({ hash: await hash });
  return Number(receipt.blockNumber);
}

/** Returns the arguments of a mint or update that publishes a service's metadata. */
export function publication(service: TestService) {
  const { version = { major: 1, minor: 0, patch: 0 }, algorithm = 0, metadata } = service;
  const text = service.text ?? canonicalizeValue(metadata);
  const traits = service.traits ?? (Array.isArray(metadata.traits) ? (metadata.traits as string[]) : []);
  return {
    did: normalizeDid(service.did),
    version,
    interfaces: service.interfaces ?? 2,
    dataUrl:
      service.dataUrl ??
      `https://registry.test/${service.did}/v/${version.major}.${version.minor}.${version.patch}`,
    dataHash: dataHash(text, algorithm),
    dataHashAlgorithm: algorithm,
    traitHashes: traits.map(traitHash),
    ...(service.onChain !== false && { metadataJson: text }),
  };
}

/** Attests the DID for the client's account and mints; returns the block of the mint. */
export async function register(chain: Chain, account: Account, service: TestService): Promise<number> {
  const issuer = getIssuer(chain);
  const client = createClient(chain, account);
  const args = publication(service);
  await mined(issuer, issuer.attestDid({ did: args.did, controller: account.address as `0x${string}` }));
  return mined(client, client.mint(args));
}
