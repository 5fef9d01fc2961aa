import type { Hex } from "viem";
import { dataUrlMayStay } from "../client/writes/updateAppControlled.ts";
import { safeHref } from "../metadata/safeHref.ts";
import { dataUrlPath } from "../paths.ts";
import { formatVersion, type Version } from "../version.ts";
import { PublicationConflictError } from "./publicationErrors.ts";
import type { RegisteredRecord } from "./readRegistered.ts";

type DataUrlParameters = {
  did: string;
  version: Version;
  dataHash: Hex;
  dataUrl?: string | undefined;
  baseUrl?: string | undefined;
  onChainJson: boolean;
  record: RegisteredRecord | undefined;
};

/**
 * The data URL of a version that is published: the one that is named; else the publisher's own that the record has;
 * else the registry web service's link for the version, which serves what the chain holds.
 *
 * @throws {PublicationConflictError} `data-url` when none of them is known or the one named can't be used.
 * @example
 * const { record } = await readRegistered(client, { did, major: 1 });
 * const next = { did, version: parseVersion("1.0.1"), dataHash, record, onChainJson: true };
 * publicationDataUrl({ ...next, dataUrl: "https://example.com/1.json" }); // "https://example.com/1.json"
 */
export function publicationDataUrl(parameters: DataUrlParameters): string {
  const { did, version, dataUrl, baseUrl, onChainJson, record } = parameters;
  if (dataUrl !== undefined) return usable(dataUrl);
  const stored = record && new URL(record.dataUrl, "https://unknown.invalid");
  const isServiceLink = record && stored?.pathname === dataUrlPath(did, record.version);
  if (record && !isServiceLink) {
    if (dataUrlMayStay(record, parameters)) return record.dataUrl;
    const message = `The stored data URL ${record.dataUrl} names another version than ${formatVersion(version)}.`;
    const action = "Name the URL at which the new version's metadata is served.";
    throw new PublicationConflictError("data-url", message, action);
  }
  if (!onChainJson) {
    const message = "A document that is not stored on the chain needs a data URL of its own.";
    throw new PublicationConflictError("data-url", message, "Name the URL at which you host it.");
  }
  const origin = baseUrl ?? stored?.origin;
  if (origin === undefined) {
    const message = "It is not known where the document will be served.";
    const action = "Name a registry web service, or the URL at which you host the document.";
    throw new PublicationConflictError("data-url", message, action);
  }
  return new URL(dataUrlPath(did, version), origin).href;
}

function usable(dataUrl: string): string {
  if (safeHref(dataUrl) !== undefined) return dataUrl;
  const action =
    "Write the whole address, such as https://example.com/service.json, at most 2,048 characters.";
  throw new PublicationConflictError("data-url", `${dataUrl} can't be a data URL.`, action);
}
