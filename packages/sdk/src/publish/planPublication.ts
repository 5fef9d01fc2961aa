import type { Hex } from "viem";
import { checkArguments } from "../arguments.ts";
import { getContractId } from "../caip.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import type { MintParameters } from "../client/version.ts";
import { resolveDataUrl } from "../dataUrl.ts";
import { type CanonicalDid, parseDid } from "../did.ts";
import { PublicationConflictError } from "../errors/refusalErrors.ts";
import { dataHash, HashAlgorithm } from "../hash.ts";
import { canonicalizeJson, parseJsonStrict } from "../json.ts";
import { isJsonObject, type JsonValue } from "../jsonValue.ts";
import { checkPublishable } from "../metadata/checkPublishable.ts";
import { inferInterfaces } from "../metadata/interfaceProblems.ts";
import { storageProblems } from "../metadata/storageProblems.ts";
import { Interfaces } from "../recordEnums.ts";
import { normalizeTrait, traitHash } from "../traits.ts";
import { compareVersions, formatVersion, toVersion, type Version, type VersionInput } from "../version.ts";

import { NotPublishableError } from "./publicationErrors.ts";
import { type RegisteredDid, type RegisteredRecord, readRegisteredDid } from "./readRegisteredDid.ts";
import { interfacesConflict, traitsConflict, versionConflict } from "./versionRules.ts";

export type PlanPublicationParameters = {
  client: AppRegistryClient;
  did: string;
  version: VersionInput;
  /** Metadata JSON as text. Its canonical form (RFC 8785) is hashed; nothing else is rewritten. */
  metadata: string;
  /** Interface bitmap, 1 to 7. Default: the record's for an update, else derived from the metadata and the DID. */
  interfaces?: number | undefined;
  /** Hash algorithm. Default: the record's for an update, else keccak256. */
  algorithm?: HashAlgorithm | undefined;
  /** URL that serves the document. Default: the link of the registry web service, see `baseUrl`. */
  dataUrl?: string | undefined;
  /** Origin of a registry web service, which serves every document on the chain. */
  baseUrl?: string | undefined;
  /** True to store the JSON on the chain. Default true. */
  onChainJson?: boolean | undefined;
  /**
   * True to allow a new major version below the latest one. Default false, because a version below the registered ones
   * is probably a mistake.
   */
  allowNewMajor?: boolean | undefined;
  /**
   * CAIP-10 id of the contract, only for a new record. Default for the Contract interface: the contract that the DID
   * names.
   */
  contractId?: string | undefined;
  /** CAIP-19 id of the token, only for a new record. */
  fungibleTokenId?: string | undefined;
};

/**
 * Plan of a publication. `parameters` are those of the write that `action` names. `none` means that exactly this is
 * already published.
 */
export type PublicationPlan = {
  action: "none" | "mint" | "update";
  parameters: Omit<MintParameters, "version"> & { version: Version };
  /** Size of the canonical text, in bytes. */
  size: number;
  /** Current version before the publication. */
  current: Version | undefined;
  /** Highest registered major version before the publication. */
  latestMajor: number | undefined;
};

export const publicationArguments =
  "client did metadata interfaces? algorithm? dataUrl? baseUrl? onChainJson? allowNewMajor? contractId? fungibleTokenId?";

/**
 * Plans how to publish a version: as a new record, as an update, or not at all because it is already published with
 * this content. A publication can therefore be repeated.
 *
 * @throws {NotPublishableError} listing the problems of the metadata.
 * @throws {PublicationConflictError} when the version or its interfaces cannot follow the registered ones.
 * @throws {JsonDocumentError} for a text that has no canonical form.
 * @example
 * const version = parseVersion("1.0.1");
 * const plan = await planPublication({ client, did, version, metadata: metadataJson });
 * plan.action; // "update"
 */
export async function planPublication(options: PlanPublicationParameters): Promise<PublicationPlan> {
  checkArguments(publicationArguments, options);
  const { client } = options;
  const version = toVersion(options.version);
  const named = parseDid(options.did);
  const { did } = named;
  const document = parseJsonStrict(options.metadata);
  const canonical = canonicalizeJson(options.metadata);
  const registered = await readRegisteredDid(client, { did, major: version.major });
  const { record, latestMajor } = registered;
  const interfaces = options.interfaces ?? record?.interfaces ?? inferInterfaces(document, did);
  const algorithm = options.algorithm ?? record?.algorithm ?? HashAlgorithm.keccak256;
  const problems = checkPublishable(document, interfaces, named, recordFields(options));
  if (problems.length > 0) throw new NotPublishableError(problems);

  const size = new TextEncoder().encode(canonical).length;
  const traitHashes = getTraitHashes(document);
  const base = { did, version, interfaces, dataHash: dataHash(canonical, algorithm), traitHashes };
  const published = await findPublished(client, did, version, record);
  if (published) {
    checkSameContent(options, canonical, published);
    const { interfaces: bitmap, dataUrl, dataHash: hash, dataHashAlgorithm } = published;
    const parameters = { ...base, interfaces: bitmap, dataUrl, dataHash: hash, dataHashAlgorithm };
    return { action: "none", parameters, size, current: record?.version, latestMajor };
  }
  assertCanFollow(registered, version, interfaces, traitHashes);
  if (!options.allowNewMajor) checkMajor(registered, version);
  const { onChainJson = true } = options;
  const tooLarge = onChainJson ? storageProblems(size) : [];
  if (tooLarge.length > 0) throw new NotPublishableError(tooLarge);
  const parameters: PublicationPlan["parameters"] = {
    ...base,
    dataHashAlgorithm: algorithm,
    dataUrl: resolveDataUrl({ ...options, did, version, dataHash: base.dataHash, onChainJson, record }),
    metadataJson: onChainJson ? canonical : "",
    contractId:
      options.contractId ?? ((interfaces & Interfaces.Contract) === 0 ? undefined : getContractId(named)),
    fungibleTokenId: options.fungibleTokenId,
  };
  return { action: record ? "update" : "mint", parameters, size, current: record?.version, latestMajor };
}

const recordFields = ({ contractId }: PlanPublicationParameters) => (contractId ? { contractId } : {});

function getTraitHashes(document: JsonValue): Hex[] {
  const { traits } = isJsonObject(document) ? document : {};
  const names = Array.isArray(traits) ? traits.map((trait) => normalizeTrait(String(trait))) : [];
  return [...new Set(names)].map(traitHash);
}

type Published = Pick<MintParameters, "interfaces" | "dataUrl" | "dataHash" | "dataHashAlgorithm">;

/** Returns the published record of exactly this version, current or older. */
async function findPublished(
  client: AppRegistryClient,
  did: CanonicalDid,
  version: Version,
  record: RegisteredRecord | undefined,
): Promise<Published | undefined> {
  const order = record && compareVersions(version, record.version);
  if (!record || order === 1) return undefined;
  if (order === 0) return { ...record, dataHashAlgorithm: record.algorithm };
  const versions = await client.listVersionRecords({ did, major: version.major });
  return versions.find((entry) => compareVersions(entry.version, version) === 0);
}

function checkSameContent(options: PlanPublicationParameters, canonical: string, published: Published): void {
  const { interfaces = published.interfaces, dataUrl = published.dataUrl } = options;
  const hash = dataHash(canonical, published.dataHashAlgorithm);
  const differs =
    hash.toLowerCase() !== published.dataHash.toLowerCase()
      ? `content: the published dataHash is ${published.dataHash}, this document's is ${hash}`
      : interfaces !== published.interfaces
        ? `interfaces: ${published.interfaces} instead of ${interfaces}`
        : dataUrl !== published.dataUrl
          ? `data URL: ${published.dataUrl}`
          : undefined;
  if (differs === undefined) return;
  const message = `Version ${formatVersion(options.version)} is already published with different ${differs}.`;
  throw new PublicationConflictError("same-version", message, "Publish your change as a higher version.");
}

function assertCanFollow(
  registered: RegisteredDid,
  version: Version,
  interfaces: number,
  traitHashes: readonly Hex[],
): void {
  const conflict = versionConflict(version, registered);
  if (conflict !== undefined) throw new PublicationConflictError("version", conflict);
  const removed = interfacesConflict(interfaces, version, registered);
  if (removed !== undefined) throw new PublicationConflictError("interfaces", removed);
  const dropped = traitsConflict(traitHashes, registered);
  if (dropped !== undefined) throw new PublicationConflictError("traits", dropped);
}

/** Rejects a new record below the latest major. It is probably a mistake, such as a tag on an old branch. */
function checkMajor({ did, latestMajor, record }: RegisteredDid, { major }: Version): void {
  if (record || latestMajor === undefined || major > latestMajor) return;
  const message = `Major version ${major} of ${did} is not registered and is lower than the latest, ${latestMajor}. Publishing would create a new record below it.`;
  const action = "If that's intended, set allowNewMajor (--new-major on the command line).";
  throw new PublicationConflictError("new-major", message, action);
}
