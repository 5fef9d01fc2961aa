import { checkArguments } from "../arguments.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { normalizeDid } from "../did.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { compareDocument } from "../hash.ts";
import { canonicalizeValue, parseJsonStrict } from "../json.ts";
import { isJsonObject, type JsonObject } from "../jsonValue.ts";
import { SELF_SUCCESSOR_MESSAGE } from "../metadata/checkPublishable.ts";
import type { AppStatus } from "../recordEnums.ts";
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
