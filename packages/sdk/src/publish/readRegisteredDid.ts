import type { Hex } from "viem";
import { checkArguments } from "../arguments.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { undefinedIfNotRegistered } from "../client/isNotRegisteredError.ts";
import type { AppStatus, VersionOrder } from "../client/records.ts";
import { type CanonicalDid, normalizeDid } from "../did.ts";
import type { HashAlgorithm } from "../hash.ts";
import type { Version } from "../version.ts";

/** What a next version needs to know about a registered record. */
export interface RegisteredRecord {
  tokenId: bigint;
  version: Version;
  /** 0 Active, 1 Deprecated, 2 Replaced. */
  status: AppStatus;
  /** Bitmap: 1 Human, 2 API, 4 Contract. */
  interfaces: number;
  dataUrl: string;
  dataHash: Hex;
  algorithm: HashAlgorithm;
  contractId: string;
  fungibleTokenId: string;
  hasTraits: boolean;
  /** What the next version must be; only a finished reclaim makes it other than `rising`. */
  versionOrder: VersionOrder;
  /** The versions of the record that no later one may repeat, oldest first; empty for a `rising` record. */
  published: readonly Version[];
}

/** What is registered for a DID: nothing, or records by major version. */
export interface RegisteredDid {
  did: CanonicalDid;
  latestMajor: number | undefined;
  /** The record of the requested major version. */
  record: RegisteredRecord | undefined;
}

/**
 * Reads what is registered for a DID, and the record of one of its major versions.
 *
 * @throws {InvalidDidError}
 * @example
 * const { latestMajor, record } = await readRegisteredDid(client, { did, major: 1 });
 */
export async function readRegisteredDid(
  client: AppRegistryClient,
  parameters: { did: string; major: number },
): Promise<RegisteredDid> {
  checkArguments("client", { client });
  checkArguments("did major", parameters);
  const { did: input, major } = parameters;
  const did = normalizeDid(input);
  const [latestMajor, summary, versionOrder] = await Promise.all([
    undefinedIfNotRegistered(client.latestMajor(did)),
    undefinedIfNotRegistered(client.getAppSummary({ did, major })),
    undefinedIfNotRegistered(client.versionOrder({ did, major })),
  ]);
  if (!summary || !versionOrder) return { did, latestMajor, record: undefined };
  const published: Version[] = [];
  if (versionOrder !== "rising") {
    for await (const { minor, patch } of client.listVersions({ did, major }))
      published.push({ major, minor, patch });
  }
  const {
    tokenId,
    latestVersion: version,
    status,
    interfaces,
    dataUrl,
    dataHash,
    contractId,
    fungibleTokenId,
  } = summary;
  const record = { tokenId, version, status, interfaces, dataUrl, dataHash, contractId, fungibleTokenId };
  const algorithm = summary.dataHashAlgorithm;
  const hasTraits = summary.traitHashes.length > 0;
  return { did, latestMajor, record: { ...record, algorithm, hasTraits, versionOrder, published } };
}
