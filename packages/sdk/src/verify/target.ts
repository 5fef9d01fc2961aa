import type { Address, Hex } from "viem";
import type { AppSummary, VersionEntry } from "../client/app.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import type { VersionRecord } from "../client/version.ts";
import type { CanonicalDid } from "../did.ts";
import type { HashAlgorithm } from "../hash.ts";
import type { AppStatus } from "../recordEnums.ts";
import type { VersionSelector } from "../version.ts";

/** Version to verify, with its record in the registry. */
export type Target = {
  did: CanonicalDid;
  tokenId: bigint;
  version: VersionEntry;
  /** True if this is the latest version of its major. */
  current: boolean;
  latestVersion: VersionEntry;
  status: AppStatus;
  owner: Address;
  minter: Address;
  interfaces: number;
  dataUrl: string;
  dataHash: Hex;
  dataHashAlgorithm: HashAlgorithm;
  contractId: string;
  traitHashes: readonly Hex[];
  /** Contract with the JSON of an older version. The current version's JSON is first read by DID. */
  pointer?: Address | undefined;
};

/**
 * Reads the version to verify. Default: the latest version of the latest major. `major` selects its latest version,
 * `major.minor` its latest patch. Reading the current version needs no events, so any RPC can serve it.
 */
export async function readTarget(
  client: AppRegistryClient,
  did: CanonicalDid,
  selector: VersionSelector | undefined,
  blockNumber: bigint,
): Promise<Target> {
  const major = selector?.major ?? (await client.latestMajor(did, { blockNumber }));
  const summary = await client.getAppSummary({ did, major, blockNumber });
  if (selector?.minor === undefined || isLatest(selector, summary)) {
    return { ...summary, version: summary.latestVersion, current: true };
  }
  const version = { major, minor: selector.minor, patch: selector.patch };
  return fromRecord(summary, await client.getVersionRecord({ did, version, blockNumber }));
}

/** Returns true if the selector matches the latest version. `x.y` matches when the latest version is any x.y.z. */
const isLatest = ({ minor, patch }: VersionSelector, { latestVersion }: AppSummary) =>
  latestVersion.minor === minor && (patch === undefined || latestVersion.patch === patch);

const fromRecord = (summary: AppSummary, record: VersionRecord): Target => ({
  ...record,
  latestVersion: summary.latestVersion,
  status: summary.status,
  owner: summary.owner,
  minter: summary.minter,
});
