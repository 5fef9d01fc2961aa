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

/** Fields of other formats that also have a publisher. A metadata JSON has its addresses in `endpoints`. */
const otherFields = [
  "url",
  "endpoint_url",
  "mcp",
  "server",
  "servers",
  "remotes",
  "transport",
  "api",
  "tools",
  "skills",
];

/** Returns true if a document has the required texts of this registry's metadata JSON. */
export const isMetadata = (document: JsonObject): boolean =>
  [document.name, document.description, document.publisher].every((text) => asString(text) !== undefined) &&
  (Array.isArray(document.endpoints) || !otherFields.some((field) => field in document));

/** Creates the finding of a metadata JSON. The document is unchanged, unless it is invalid and has to be sanitized. */
export function metadataFinding(document: JsonObject, url: string): Finding {
  const metadata = metadataSchema.safeParse(document).success ? document : sanitizeMetadata(document);
  const entries = getEndpoints(metadata as Parameters<typeof getEndpoints>[0]);
  const apis = entries.filter(({ name }) => name !== CONTRACT_ENDPOINT_NAME);
  const isHuman = isJsonObject(metadata.platforms) && Object.keys(metadata.platforms).length > 0;
  return {
    kind: "metadata",
    url,
    interfaces:
      (isHuman ? Interfaces.Human : 0) |
      (apis.length > 0 ? Interfaces.Api : 0) |
      (entries.length > apis.length ? Interfaces.Contract : 0),
    offers: [],
    metadata,
  };
}
