import type { Hash, Hex } from "viem";
import { normalizeDid } from "../../did.ts";
import type { HashAlgorithm } from "../../hash.ts";
import { toVersion, type VersionInput } from "../../version.ts";
import { type ClientContext, registryContract } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type MintParameters = {
  did: string;
  version: VersionInput;
  /** Interface bitmap, 1 to 7: 1 Human, 2 API, 4 Contract. */
  interfaces: number;
  /** URL that serves the metadata JSON, 1 to 2,048 bytes. */
  dataUrl: string;
  dataHash: Hex;
  dataHashAlgorithm: HashAlgorithm;
  /** Trait hashes, at most 20. */
  traitHashes?: readonly Hex[] | undefined;
  /**
   * Canonical text (RFC 8785) that hashes to `dataHash`, at most 24,575 bytes. Default: none, and the JSON is not
   * stored on the chain.
   */
  metadataJson?: string | undefined;
  /** CAIP-10 id of the contract. */
  contractId?: string | undefined;
  /** CAIP-19 id of the token. */
  fungibleTokenId?: string | undefined;
};

/**
 * Builds the call that {@link mint} sends.
 *
 * @example
 * const { canonical, dataHash } = hashDocument(JSON.stringify(metadata), HashAlgorithm.keccak256);
 * const call = client.prepareMint({
 *   did,
 *   version: parseVersion("1.0.0"),
 *   interfaces: Interfaces.Api,
 *   dataUrl,
 *   dataHash,
 *   dataHashAlgorithm: HashAlgorithm.keccak256,
 *   traitHashes: [traitHash("api:rest")],
 *   metadataJson: canonical,
 * });
 * call.functionName; // "mint"
 */
export function prepareMint(context: ClientContext, parameters: MintParameters) {
  const { did, interfaces, dataUrl, dataHash, dataHashAlgorithm } = parameters;
  const version = toVersion(parameters.version);
  const { fungibleTokenId = "", contractId = "", traitHashes = [], metadataJson = "" } = parameters;
  return {
    ...registryContract(context),
    functionName: "mint",
    args: [
      normalizeDid(did),
      interfaces,
      dataUrl,
      dataHash,
      dataHashAlgorithm,
      fungibleTokenId,
      contractId,
      version.major,
      version.minor,
      version.patch,
      traitHashes,
      metadataJson,
    ],
  } as const;
}

/**
 * Registers a service: creates the record of a major version and its token, and stores the metadata JSON. The account
 * must control the DID.
 *
 * @throws {ContractRevertError} before anything is sent, when the registry would refuse.
 * @example
 * const { canonical, dataHash } = hashDocument(JSON.stringify(metadata), HashAlgorithm.keccak256);
 * const hash = await client.mint({
 *   did,
 *   version: parseVersion("1.0.0"),
 *   interfaces: Interfaces.Api,
 *   dataUrl,
 *   dataHash,
 *   dataHashAlgorithm: HashAlgorithm.keccak256,
 *   traitHashes: [traitHash("api:rest")],
 *   metadataJson: canonical,
 * });
 * await client.waitForReceipt({ hash });
 */
export async function mint(
  context: ClientContext,
  { account, ...parameters }: MintParameters & SendOptions,
): Promise<Hash> {
  return sendCall(context, prepareMint(context, parameters), { account });
}
