import type { Hash, Hex } from "viem";
import { normalizeDid } from "../../did.ts";
import { AppRegistryError } from "../../errors/appRegistryError.ts";
import { formatVersion, type Version } from "../../version.ts";
import { type ClientContext, registryContract } from "../context.ts";
import { getAppSummary } from "../reads/getAppSummary.ts";
import type { DataHashAlgorithm } from "../records.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type UpdateAppControlledParameters = {
  did: string;
  /** The new version; its major names the record, (minor, patch) must be above the current pair. */
  version: Version;
  dataHash: Hex;
  dataHashAlgorithm: DataHashAlgorithm;
  /** Left out or empty, the stored URL stays. */
  dataUrl?: string | undefined;
  /** Left out or 0, the bitmap stays; else a superset of it, with a higher minor version. */
  interfaces?: number | undefined;
  /** Left out or empty, the traits stay. */
  traitHashes?: readonly Hex[] | undefined;
  /** The canonical (RFC 8785) text that hashes to `dataHash`; left out, it stays off-chain. */
  metadataJson?: string | undefined;
};

/** The stored dataUrl names an older version, so the new version's document can't stand there. */
export class DataUrlOfOtherVersionError extends AppRegistryError {
  override readonly name = "DataUrlOfOtherVersionError";

  constructor(dataUrl: string, version: Version) {
    super(`The stored dataUrl ${dataUrl} names another version than ${formatVersion(version)}.`, {
      action: "Give the dataUrl at which the new version's metadata is served.",
      docsPath: "/sdk#writes",
    });
  }
}

/**
 * Builds the call that {@link updateAppControlled} sends. It does not look at the stored dataUrl.
 *
 * @example
 * const { canonical, dataHash } = hashDocument(JSON.stringify(metadata), HashAlgorithm.keccak256);
 * const call = client.prepareUpdateAppControlled({
 *   did,
 *   version: parseVersion("1.0.1"),
 *   dataHash,
 *   dataHashAlgorithm: HashAlgorithm.keccak256,
 *   metadataJson: canonical,
 * });
 * call.functionName; // "updateAppControlled"
 */
export function prepareUpdateAppControlled(
  context: ClientContext,
  parameters: UpdateAppControlledParameters,
) {
  const { did, version, dataHash, dataHashAlgorithm } = parameters;
  const { dataUrl = "", interfaces = 0, traitHashes = [], metadataJson = "" } = parameters;
  return {
    ...registryContract(context),
    functionName: "updateAppControlled",
    args: [
      normalizeDid(did),
      version.major,
      dataUrl,
      dataHash,
      dataHashAlgorithm,
      interfaces,
      traitHashes,
      version.minor,
      version.patch,
      metadataJson,
    ],
  } as const;
}

/**
 * True when a URL that stays may serve the new version: it names no version, or this one, or the content stays.
 *
 * @example
 * const next = { version: parseVersion("1.0.1"), dataHash };
 * dataUrlMayStay({ dataUrl: "https://example.com/v/1.0.0", dataHash }, next); // true
 */
export function dataUrlMayStay(
  stored: { dataUrl: string; dataHash: Hex },
  next: { version: Version; dataHash: Hex },
): boolean {
  if (stored.dataHash.toLowerCase() === next.dataHash.toLowerCase()) return true;
  const named = /\/v\/(\d+\.\d+(?:\.\d+)?)(?=$|[/?#])/.exec(stored.dataUrl)?.[1];
  const { major, minor } = next.version;
  return named === undefined || named === formatVersion(next.version) || named === `${major}.${minor}`;
}

/**
 * Publishes a new minor or patch version. The account must be the minter, the holder or its operator, and that
 * minter or holder must count as a controller of the DID.
 *
 * @throws {DataUrlOfOtherVersionError} when no dataUrl is given, the content changes and the stored URL names
 * another version.
 * @throws {ContractRevertError} before anything is sent when the registry would refuse.
 * @example
 * const { canonical, dataHash } = hashDocument(JSON.stringify(metadata), HashAlgorithm.keccak256);
 * const hash = await client.updateAppControlled({
 *   did,
 *   version: parseVersion("1.0.1"),
 *   dataHash,
 *   dataHashAlgorithm: HashAlgorithm.keccak256,
 *   metadataJson: canonical,
 * });
 * await client.waitForReceipt({ hash });
 */
export async function updateAppControlled(
  context: ClientContext,
  { account, ...parameters }: UpdateAppControlledParameters & SendOptions,
): Promise<Hash> {
  const { did, version } = parameters;
  if (!parameters.dataUrl) {
    const stored = await getAppSummary(context, { did, major: version.major });
    if (!dataUrlMayStay(stored, parameters)) throw new DataUrlOfOtherVersionError(stored.dataUrl, version);
  }
  return sendCall(context, prepareUpdateAppControlled(context, parameters), { account });
}
