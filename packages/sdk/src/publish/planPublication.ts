import type { Hex } from "viem";
import { checkArguments } from "../arguments.ts";
import { getContractId } from "../caip.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { undefinedIfNotRegistered } from "../client/notRegistered.ts";
import type { MintParameters } from "../client/version.ts";
import { resolveDataUrl } from "../dataUrl.ts";
import { type CanonicalDid, normalizeDid, parseDid } from "../did.ts";
import { AppRegistryError, PublicationConflictError } from "../errors/appRegistryError.ts";
import { compareDocument, dataHash, HashAlgorithm } from "../hash.ts";
import {
  canonicalizeJson,
  canonicalizeValue,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonStrict,
} from "../json.ts";
import {
  checkPublishable,
  inferInterfaces,
  SELF_SUCCESSOR_MESSAGE,
  storageProblems,
} from "../metadata/checkPublishable.ts";
import { type AppStatus, Interfaces } from "../recordEnums.ts";
import { normalizeTrait, traitHash } from "../traits.ts";
import { compareVersions, formatVersion, toVersion, type Version, type VersionInput } from "../version.ts";
import {
  interfacesConflict,
  NotPublishableError,
  nextVersions,
  type RegisteredDid,
  type RegisteredRecord,
  traitsConflict,
  versionConflict,
} from "./versionRules.ts";

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

const REPLACED = 2;

export type PlanReplacementParameters = {
  client: AppRegistryClient;
  did: string;
  major: number;
  /** DID of the service that replaces it. It does not have to be registered. Default: the one in the metadata. */
  successor?: string | undefined;
  /** Reason, shown next to the version. Default: the one in the metadata. */
  deprecation?: string | undefined;
  /** Status to set. Default: Replaced (2). */
  status?: AppStatus | undefined;
  /** Metadata JSON of the record, as text. Default: the copy on the chain. */
  document?: string | undefined;
  /** Origin of a registry web service, which serves the new version's document. */
  baseUrl?: string | undefined;
};

/**
 * Plans the two steps that replace or deprecate a service: a version whose metadata names the successor (`replacedBy`)
 * and the reason (`deprecation`), and the status. `createPublication` creates the operation of both. If the metadata
 * already contains them, no new version is published.
 *
 * @throws {InvalidDidError} when one of the DIDs is not valid.
 * @throws {AppRegistryError} when the record is its own successor, when no higher version is possible, or when its
 * document is neither given nor on the chain.
 * @throws {ContractRevertError} `AppNotFound` when there is no such record.
 * @example
 * const successor = "did:web:next.example.com";
 * const request = await planReplacement({ client, did, major: 1, successor });
 * request.version; // "1.0.1"
 * createPublication(request, controller).stages.some(({ id }) => id === "status"); // true
 */
export async function planReplacement(parameters: PlanReplacementParameters): Promise<PublicationRequest> {
  checkArguments("client did major successor? deprecation? status? document? baseUrl?", parameters);
  const { client, major, baseUrl, successor, deprecation, status = REPLACED } = parameters;
  const did = normalizeDid(parameters.did);
  const replacedBy = successor === undefined ? undefined : normalizeDid(successor);
  if (replacedBy === did) {
    const action = "Choose another service. A new major version of this service needs no successor.";
    throw new AppRegistryError(SELF_SUCCESSOR_MESSAGE, { action });
  }
  const [{ record, latestMajor = major }, summary] = await Promise.all([
    readRegisteredDid(client, { did, major }),
    client.getAppSummary({ did, major }),
  ]);
  const current = summary.latestVersion;
  const document = await readDocument(parameters, current);
  const metadata = canonicalizeValue({
    ...document,
    ...(replacedBy !== undefined && { replacedBy }),
    ...(deprecation !== undefined && { deprecation }),
  });
  const isNamed = metadata === canonicalizeValue(document);
  const next = nextVersions(record, latestMajor);
  const version = isNamed ? current : (next.patch ?? next.minor);
  if (version === undefined) {
    const message = `No higher version is possible after ${formatVersion(current)}, so the metadata can't change.`;
    throw new AppRegistryError(message, { action: "Set the status without a reason or successor." });
  }
  return {
    did,
    version: formatVersion(version),
    metadata,
    status,
    // A version that is already published has a data URL.
    ...(!isNamed && { baseUrl, onChainJson: true }),
  };
}

async function readDocument(
  { client, did, document }: PlanReplacementParameters,
  version: Version,
): Promise<JsonObject> {
  const record = await client.getVersionRecord({ did, version });
  const text = document ?? (record.pointer && (await client.getMetadataAt(record.pointer)));
  const matches = text !== undefined && compareDocument(text, record).matches;
  const json = matches ? parseJsonStrict(text) : undefined;
  if (isJsonObject(json)) return json;
  throw new AppRegistryError(`Couldn't load the metadata JSON of ${did} ${formatVersion(version)}.`, {
    action: "Publish a version with the new metadata, then set the status.",
  });
}

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

/** Publication to carry out. `version` and `metadata` are text, so that the operation can be stored as JSON. */
export type PublicationRequest = Omit<PlanPublicationParameters, "client" | "version"> & {
  /** Version as `major.minor.patch`, each 0 to 255. */
  version: string;
  /** Status to set after the version is published, with a second transaction. Default: the record's status. */
  status?: AppStatus | undefined;
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
