import type { Hex } from "viem";
import { PublicationConflictError, withoutKey } from "./errors/appRegistryError.ts";
import { MAX_URL_LENGTH } from "./metadata/limits.ts";
import { safeHref } from "./metadata/safeHref.ts";
import { dataUrlPath } from "./paths.ts";
import { formatVersion, toVersion, type VersionInput } from "./version.ts";

type StoredDataUrl = { dataUrl: string; dataHash: Hex };

/**
 * Returns the stored data URL if an update can reuse it: it must name no version or the new one, unless the content is
 * unchanged.
 *
 * @throws {PublicationConflictError} `data-url` when it names another version, so that it cannot serve the new
 * document.
 * @example
 * const next = { version: parseVersion("1.0.1"), dataHash };
 * getReusableDataUrl({ dataUrl: "https://example.com/v/1.0.0", dataHash }, next); // "https://example.com/v/1.0.0"
 */
export function getReusableDataUrl(
  stored: StoredDataUrl,
  next: { version: VersionInput; dataHash: Hex },
): string {
  if (stored.dataHash.toLowerCase() === next.dataHash.toLowerCase()) return stored.dataUrl;
  const named = /\/v\/(\d+\.\d+(?:\.\d+)?)(?=$|[/?#])/.exec(stored.dataUrl)?.[1];
  const { major, minor } = toVersion(next.version);
  const wanted = formatVersion(next.version);
  if (named === undefined || named === wanted || named === `${major}.${minor}`) return stored.dataUrl;
  const message = `The record's data URL ${stored.dataUrl} is for a different version than ${wanted}.`;
  const action = "Pass the URL that serves the new version's metadata.";
  throw new PublicationConflictError("data-url", message, action);
}

type DataUrlParameters = {
  did: string;
  version: VersionInput;
  dataHash: Hex;
  dataUrl?: string | undefined;
  baseUrl?: string | undefined;
  onChainJson: boolean;
  /** Registered record that the update changes. */
  record: (StoredDataUrl & { version: VersionInput }) | undefined;
};

/**
 * Returns the data URL of a version to publish: the given one, else the publisher's own in the record, else the
 * registry web service's link for the version, which serves the JSON on the chain.
 *
 * @throws {PublicationConflictError} `data-url` when none of them is available or the given one is not valid.
 * @example
 * const version = parseVersion("1.0.1");
 * const { record } = await readRegisteredDid(client, { did, major: 1 });
 * resolveDataUrl({ did, version, dataHash, baseUrl, onChainJson: true, record }) ===
 *   baseUrl + dataUrlPath(did, version); // true
 */
export function resolveDataUrl(parameters: DataUrlParameters): string {
  const { did, version, dataUrl, baseUrl, onChainJson, record } = parameters;
  if (dataUrl !== undefined) return assertUsableDataUrl(dataUrl);
  const stored = record && new URL(record.dataUrl, "https://unknown.invalid");
  const isServiceLink = record && stored?.pathname === dataUrlPath(did, record.version);
  if (record && !isServiceLink) return getReusableDataUrl(record, parameters);
  if (!onChainJson) {
    const message = "If the document is not stored on the chain, you must provide a data URL.";
    throw new PublicationConflictError("data-url", message, "Pass the URL where you host it.");
  }
  const origin = baseUrl ?? stored?.origin;
  if (origin === undefined) {
    const message = "The document has no data URL.";
    const action = "Pass a registry web service, or the URL where you host the document.";
    throw new PublicationConflictError("data-url", message, action);
  }
  return new URL(dataUrlPath(did, version), origin).href;
}

function assertUsableDataUrl(dataUrl: string): string {
  if (safeHref(dataUrl) !== undefined) return dataUrl;
  const action = `Use a full URL such as https://example.com/service.json, with at most ${MAX_URL_LENGTH.toLocaleString("en")} characters.`;
  throw new PublicationConflictError("data-url", `${withoutKey(dataUrl)} is not a valid data URL.`, action);
}
