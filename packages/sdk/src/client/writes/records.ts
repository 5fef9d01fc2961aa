import type { Address, Hex } from "viem";
import { getReusableDataUrl } from "../../dataUrl.ts";
import { normalizeDid } from "../../did.ts";
import type { HashAlgorithm } from "../../hash.ts";
import { toVersion, type VersionInput } from "../../version.ts";
import { defineWrite } from "../calls.ts";
import { toRecordArgs } from "../context.ts";
import { getAppSummary } from "../reads/records.ts";
import type { AppStatus } from "../records.ts";

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
export const mint = defineWrite(
  "AppRegistry",
  "mint",
  "did interfaces dataUrl dataHash dataHashAlgorithm traitHashes? metadataJson? contractId? fungibleTokenId?",
  (parameters: MintParameters) => {
    const { did, interfaces, dataUrl, dataHash, dataHashAlgorithm } = parameters;
    const { major, minor, patch } = toVersion(parameters.version);
    const { fungibleTokenId = "", contractId = "", traitHashes = [], metadataJson = "" } = parameters;
    return [
      normalizeDid(did),
      interfaces,
      dataUrl,
      dataHash,
      dataHashAlgorithm,
      fungibleTokenId,
      contractId,
      major,
      minor,
      patch,
      traitHashes,
      metadataJson,
    ];
  },
);

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
 * Publishes a new minor or patch version. The account must be the minter, the holder or an operator of the holder, and
 * that minter or holder must control the DID.
 *
 * @throws {PublicationConflictError} `data-url` when no dataUrl is given, the content changes and the stored URL names
 * another version; `prepareUpdateAppControlled` does not check it.
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
export const updateAppControlled = defineWrite(
  "AppRegistry",
  "updateAppControlled",
  "did dataHash dataHashAlgorithm dataUrl? traitHashes? metadataJson?",
  (parameters: UpdateAppControlledParameters) => {
    const { did, dataHash, dataHashAlgorithm } = parameters;
    const { major, minor, patch } = toVersion(parameters.version);
    const { dataUrl = "", interfaces = 0, traitHashes = [], metadataJson = "" } = parameters;
    return [
      normalizeDid(did),
      major,
      dataUrl,
      dataHash,
      dataHashAlgorithm,
      interfaces,
      traitHashes,
      minor,
      patch,
      metadataJson,
    ];
  },
  async (context, { did, version, dataHash, dataUrl }) => {
    if (dataUrl) return;
    const next = toVersion(version);
    getReusableDataUrl(await getAppSummary(context, { did, major: next.major }), { version: next, dataHash });
  },
);

export type RepublishMetadataParameters = {
  did: string;
  major: number;
  /** Canonical JSON text (RFC 8785) that hashes to the record's dataHash. */
  metadataJson: string;
};

/**
 * Stores the JSON of a record's current version again, as the DID's latest JSON.
 *
 * @example
 * const hash = await client.republishMetadata({ did, major: 1, metadataJson });
 * await client.waitForReceipt({ hash });
 */
export const republishMetadata = defineWrite(
  "AppRegistry",
  "republishMetadata",
  "did major metadataJson",
  ({ did, major, metadataJson }: RepublishMetadataParameters) => [normalizeDid(did), major, metadataJson],
);

export type UpdateStatusParameters = { did: string; major: number; status: AppStatus };

/**
 * Sets a record's status. A current controller may always set Deprecated or Replaced.
 *
 * @example
 * const hash = await client.updateStatus({ did, major: 1, status: 1 });
 * await client.waitForReceipt({ hash });
 */
export const updateStatus = defineWrite(
  "AppRegistry",
  "updateStatus",
  "did major status",
  ({ did, major, status }: UpdateStatusParameters) => [normalizeDid(did), major, status],
);

export type TransferParameters = { from: Address; to: Address; tokenId: bigint };

/**
 * Transfers a record's token to another account (ERC-721 `safeTransferFrom`). Does not transfer control of the DID.
 *
 * @example
 * const hash = await client.transfer({ from: owner, to: newcomer, tokenId });
 * await client.waitForReceipt({ hash });
 */
export const transfer = defineWrite(
  "AppRegistry",
  "safeTransferFrom",
  "from to tokenId",
  ({ from, to, tokenId }: TransferParameters) => [from, to, tokenId],
);

/**
 * Opens the sender's reclaim of a record whose minter and holder do not resist it (see `resistsReclaim`). The sender
 * must control the DID.
 *
 * @example
 * const hash = await client.openReclaim({ did, major: 1 });
 * await client.waitForReceipt({ hash });
 */
export const openReclaim = defineWrite("AppRegistry", "openReclaim", "did major", toRecordArgs);

/**
 * Transfers the record's token to the sender, 30 to 60 days after the sender opened its reclaim, unless the minter or
 * holder resists or dismissed it. The record's next version may be lower than the current one.
 *
 * @example
 * const hash = await client.finishReclaim({ did, major: 1 });
 * await client.waitForReceipt({ hash });
 */
export const finishReclaim = defineWrite("AppRegistry", "finishReclaim", "did major", toRecordArgs);

/**
 * Ends every open reclaim of a record, as an update does. The sender must be allowed to update the record.
 *
 * @example
 * const hash = await client.dismissReclaims({ did, major: 1 });
 * await client.waitForReceipt({ hash });
 */
export const dismissReclaims = defineWrite("AppRegistry", "dismissReclaims", "did major", toRecordArgs);
