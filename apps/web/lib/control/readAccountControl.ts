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

/** Resolver state of an account and a DID at one block. Times are in Unix seconds. */
export interface AccountControl {
  account: Address;
  /** Time of the block. */
  now: number;
  controller: Controller;
  attestations: readonly Attestation[];
  /** Block on the account, or `undefined` without one. */
  block: Block | undefined;
  issuers: readonly IssuerState[];
  policy: ResolverPolicy;
}

interface AccountControlParameters {
  did: string;
  account: Address;
  /** Block number to read at. Default: the latest block. */
  blockNumber?: bigint | undefined;
}

/**
 * Reads whether an account controls a DID, with the attestations, blocks and policy that decide it.
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

/**
 * Returns the path of the page about control of a DID, or about one account's control of it. Colons need no encoding in
 * a query (RFC 3986, 3.4).
 */
export const controlHref = (did: string, account?: Address): string =>
  `/control?did=${encodeURIComponent(did).replaceAll("%3A", ":")}${account === undefined ? "" : `&account=${account}`}`;
