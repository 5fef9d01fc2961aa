import type {
  AppRegistryClient,
  Attestation,
  Block,
  Controller,
  IssuerState,
  ResolverPolicy,
} from "@app-registry/sdk";
import type { Address } from "viem";
import { getBlock } from "viem/actions";

/** All that the resolver says of an account and a DID, at one block of the chain. Times are Unix seconds. */
export interface AccountControl {
  account: Address;
  /** Time of the chain's block. */
  now: number;
  controller: Controller;
  attestations: readonly Attestation[];
  /** The block on the account; `undefined` if there is none. */
  block: Block | undefined;
  issuers: readonly IssuerState[];
  policy: ResolverPolicy;
}

interface AccountControlParameters {
  did: string;
  account: Address;
  /** Default: the latest. */
  blockNumber?: bigint | undefined;
}

/**
 * Reads why an account controls a DID, or does not.
 * @throws RpcUnavailableError or RpcFailedError.
 */
export async function readAccountControl(
  client: AppRegistryClient,
  { did, account, blockNumber: wanted }: AccountControlParameters,
): Promise<AccountControl> {
  const head = getBlock(client.publicClient, wanted === undefined ? {} : { blockNumber: wanted });
  const at = { blockNumber: wanted ?? (await head).number };
  const about = { did, controller: account, ...at };
  const [{ timestamp }, controller, attestations, block, issuers, policy] = await Promise.all([
    head,
    client.getController(about),
    client.getDidAttestations(about),
    client.getBlock(about),
    client.getIssuers(at),
    client.getResolverPolicy(at),
  ]);
  return { account, now: Number(timestamp), controller, attestations, block, issuers, policy };
}

/** Path of the page about one account's control of a DID. A colon stands as it is in a query (RFC 3986, 3.4). */
export const controlHref = (did: string, account: Address): string =>
  `/control?did=${encodeURIComponent(did).replaceAll("%3A", ":")}&account=${account}`;
