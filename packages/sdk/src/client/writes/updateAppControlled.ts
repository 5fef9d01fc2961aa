import type { Hash, Hex } from "viem";
import { getReusableDataUrl } from "../../dataUrl.ts";
import { normalizeDid } from "../../did.ts";
import type { HashAlgorithm } from "../../hash.ts";
import { toVersion, type VersionInput } from "../../version.ts";
import { type ClientContext, registryContract } from "../context.ts";
import { getAppSummary } from "../reads/getAppSummary.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type UpdateAppControlledParameters = {
  did: string;
  /** New version. Its major selects the record; its minor and patch must be higher than the current pair. */
  version: VersionInput;
  dataHash: Hex;
  dataHashAlgorithm: HashAlgorithm;
  /** URL of the metadata JSON. Default: the stored URL. */
  dataUrl?: string | undefined;
  /**
   * Interface bitmap, a superset of the stored one; adding a bit needs a higher minor version. Default 0: the stored
   * bitmap.
   */
  interfaces?: number | undefined;
  /** Trait hashes, at most 20. Default: the stored ones. */
  traitHashes?: readonly Hex[] | undefined;
  /**
   * Canonical text (RFC 8785) that hashes to `dataHash`, at most 24,575 bytes. Default: none, and the JSON is not
   * stored on the chain.
   */
  metadataJson?: string | undefined;
};

/**
 * Builds the call that {@link updateAppControlled} sends. Does not check the stored dataUrl.
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
  const { did, dataHash, dataHashAlgorithm } = parameters;
  const version = toVersion(parameters.version);
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
 * Publishes a new minor or patch version. The account must be the minter, the holder or an operator of the holder, and
 * that minter or holder must control the DID.
 *
 * @throws {PublicationConflictError} `data-url` when no dataUrl is given, the content changes and the stored URL names
 * another version.
 * @throws {ContractRevertError} before anything is sent, when the registry would refuse.
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
  const { did, dataHash } = parameters;
  const version = toVersion(parameters.version);
  if (!parameters.dataUrl) {
    getReusableDataUrl(await getAppSummary(context, { did, major: version.major }), { version, dataHash });
  }
  return sendCall(context, prepareUpdateAppControlled(context, parameters), { account });
}
