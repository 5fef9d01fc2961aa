import type { Hex } from "viem";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { orUndefinedIfNotRegistered } from "../client/isNotRegistered.ts";
import type { DataHashAlgorithm } from "../client/records.ts";
import { normalizeDid } from "../did.ts";
import type { Version } from "../version.ts";

/** A record that stands in the registry, as far as a next version of it needs to know. */
export interface RegisteredRecord {
  tokenId: bigint;
  version: Version;
  /** Bitmap: 1 Human, 2 API, 4 Contract. */
  interfaces: number;
  dataUrl: string;
  dataHash: Hex;
  algorithm: DataHashAlgorithm;
  contractId: string;
  fungibleTokenId: string;
  hasTraits: boolean;
}

/** What the chain says of a DID: nothing is registered, or records by their major version. */
export interface RegisteredDid {
  did: string;
  latestMajor: number | undefined;
  /** The record of the major version that was asked for. */
  record: RegisteredRecord | undefined;
}

/**
 * Reads what is registered of a DID, and the record of one of its major versions.
 *
 * @throws {InvalidDidError}
 * @example
 * const { latestMajor, record } = await readRegistered(client, { did, major: 1 });
 */
export async function readRegistered(
  client: AppRegistryClient,
  { did: input, major }: { did: string; major: number },
): Promise<RegisteredDid> {
  const did = normalizeDid(input);
  const [latestMajor, summary] = await Promise.all([
    orUndefinedIfNotRegistered(client.latestMajor(did)),
    orUndefinedIfNotRegistered(client.getAppSummary({ did, major })),
  ]);
  if (!summary) return { did, latestMajor, record: undefined };
  const { tokenId, latestVersion, interfaces, dataUrl, dataHash, traitHashes } = summary;
  const { dataHashAlgorithm: algorithm, contractId, fungibleTokenId } = summary;
  const hasTraits = traitHashes.length > 0;
  const record = { tokenId, version: latestVersion, interfaces, dataUrl, dataHash, algorithm };
  return { did, latestMajor, record: { ...record, contractId, fungibleTokenId, hasTraits } };
}
