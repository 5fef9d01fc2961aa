import {
  CONTRACT_ENDPOINT_NAME,
  getEndpoints,
  Interfaces,
  isJsonObject,
  type JsonObject,
  metadataSchema,
} from "@app-registry/sdk";
import type { Finding } from "../finding.ts";
import { sanitizeMetadata } from "../sanitizeMetadata.ts";
import { asString } from "./json.ts";

/** Whether a document is a metadata JSON as this registry records it. */
export const isMetadata = (document: JsonObject): boolean =>
  [document.name, document.description, document.publisher].every((text) => asString(text) !== undefined);

/** A metadata JSON, unchanged; only one that could not be published is corrected. */
export function metadataFinding(document: JsonObject, url: string): Finding {
  const metadata = metadataSchema.safeParse(document).success ? document : sanitizeMetadata(document);
  const entries = getEndpoints(metadata as Parameters<typeof getEndpoints>[0]);
  const isContract = entries.some(({ name }) => name === CONTRACT_ENDPOINT_NAME);
  const isApi = entries.some(({ name }) => name !== CONTRACT_ENDPOINT_NAME);
  const isHuman = isJsonObject(metadata.platforms) && Object.keys(metadata.platforms).length > 0;
  return {
    kind: "metadata",
    url,
    interfaces:
      (isHuman ? Interfaces.Human : 0) |
      (isApi ? Interfaces.Api : 0) |
      (isContract ? Interfaces.Contract : 0),
    offers: [],
    metadata,
  };
}
