import type { Hex } from "viem";
import { checkArguments } from "../arguments.ts";
import type { VersionOrder } from "../client/app.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { undefinedIfNotRegistered } from "../client/notRegistered.ts";
import { type CanonicalDid, normalizeDid } from "../did.ts";
import type { HashAlgorithm } from "../hash.ts";
import type { AppStatus } from "../recordEnums.ts";
import type { Version } from "../version.ts";

/** Registered record, with the fields that decide about its next version. */
export interface RegisteredRecord {
  tokenId: bigint;
  version: Version;
  /** Status: 0 Active, 1 Deprecated, 2 Replaced. */
  status: AppStatus;
  /** Interface bitmap: 1 Human, 2 API, 4 Contract. */
  interfaces: number;
  dataUrl: string;
  dataHash: Hex;
  algorithm: HashAlgorithm;
  contractId: string;
  fungibleTokenId: string;
  hasTraits: boolean;
  /** Rule for the next version. Only a finished reclaim makes it other than `rising`. */
  versionOrder: VersionOrder;
  /** Published versions that no later one may repeat, oldest first; empty for a `rising` record. */
  published: readonly Version[];
}

/** Registered records of a DID: none, or one per major version. */
export interface RegisteredDid {
  did: CanonicalDid;
  latestMajor: number | undefined;
  /** Record of the requested major version. */
  record: RegisteredRecord | undefined;
}

/**
 * Reads the latest major version of a DID, and the record of one of its major versions.
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
