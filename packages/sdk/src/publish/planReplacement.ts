import { checkArguments } from "../arguments.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { isCanonicalDid, normalizeDid } from "../did.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { compareDocument } from "../hash.ts";
import { canonicalizeValue, parseJsonStrict } from "../json.ts";
import { isJsonObject, type JsonObject } from "../jsonValue.ts";
import { SELF_SUCCESSOR_MESSAGE } from "../metadata/checkPublishable.ts";
import { formatVersion, type Version } from "../version.ts";
import type { PublicationRequest } from "./operation.ts";
import { readRegisteredDid } from "./readRegisteredDid.ts";
import { nextVersions } from "./versionRules.ts";

/** Value of the status Replaced. */
const REPLACED = 2;

export type PlanReplacementParameters = {
  client: AppRegistryClient;
  did: string;
  major: number;
  /** DID of the service that replaces it. It does not have to be registered. */
  successor: string;
  /** Metadata JSON of the record, as text. Default: the copy on the chain. */
  document?: string | undefined;
  /** Origin of a registry web service, which serves the new version's document. */
  baseUrl?: string | undefined;
};

/**
 * Plans the two steps that replace a service: a version whose metadata names the successor (`replacedBy`), and the
 * status Replaced. `createPublication` creates the operation of both. If the metadata already names the successor, no
 * new version is published.
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
  checkArguments("client did major successor document? baseUrl?", parameters);
  const { client, major, baseUrl } = parameters;
  const did = normalizeDid(parameters.did);
  const replacedBy = normalizeDid(parameters.successor);
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
  const metadata = canonicalizeValue({ ...document, replacedBy });
  const isNamed = getSuccessor(document) === replacedBy;
  const version = isNamed
    ? current
    : nextVersions(record, latestMajor).find((candidate) => candidate.major === major);
  if (version === undefined) {
    const message = `No higher version is possible after ${formatVersion(current)}, so the metadata can't name a successor.`;
    throw new AppRegistryError(message, { action: "Set the status to Replaced without naming a successor." });
  }
  return {
    did,
    version: formatVersion(version),
    metadata,
    status: REPLACED,
    // A version that is already published has a data URL.
    ...(!isNamed && { baseUrl, onChainJson: true }),
  };
}

/** Returns the successor that a metadata JSON names, or `undefined` if it is not a canonical DID. */
function getSuccessor({ replacedBy }: JsonObject): string | undefined {
  return typeof replacedBy === "string" && isCanonicalDid(replacedBy) ? replacedBy : undefined;
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
    action: "Publish a version whose metadata contains replacedBy, then set the status.",
  });
}
