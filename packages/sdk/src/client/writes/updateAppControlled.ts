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
  /** The new version; its major names the record, (minor, patch) must be above the current pair. */
  version: VersionInput;
  dataHash: Hex;
  dataHashAlgorithm: HashAlgorithm;
  /** Default: the stored URL stays. */
  dataUrl?: string | undefined;
  /** Default 0: the bitmap stays. Otherwise a superset of it, with a higher minor version. */
  interfaces?: number | undefined;
  /** Default empty: the traits stay. */
  traitHashes?: readonly Hex[] | undefined;
  /** The canonical (RFC 8785) text that hashes to `dataHash`; left out, it stays off-chain. */
  metadataJson?: string | undefined;
};

/**
 * Builds the call that {@link updateAppControlled} sends. It doesn't check the stored dataUrl.
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
 * Publishes a new minor or patch version. The account must be the minter, the holder or its operator, and that
 * minter or holder must control the DID.
 *
 * @throws {PublicationConflictError} `data-url` when no dataUrl is given, the content changes and the stored URL names
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
  const { did, dataHash } = parameters;
  const version = toVersion(parameters.version);
  if (!parameters.dataUrl) {
    getReusableDataUrl(await getAppSummary(context, { did, major: version.major }), { version, dataHash });
  }
  return sendCall(context, prepareUpdateAppControlled(context, parameters), { account });
}
