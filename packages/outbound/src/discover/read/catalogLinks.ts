import type { JsonObject } from "@app-registry/sdk";
import { asArray, asObject, asObjectArray, asString } from "./json.ts";

/** Maximum number of catalog entries to read. */
const MAX_ENTRIES = 100;

/** Media types of supported entries of an AI catalog. */
const readable = /a2a-agent-card|mcp-server-card|openapi|ai-card/i;

/**
 * Lists the documents that a catalog links to: the entries of an AI catalog (`/.well-known/ai-catalog.json`), or the
 * `service-desc` links of an API catalog (RFC 9727, a linkset of RFC 9264). Returns `undefined` if the document is not
 * a catalog.
 */
export function catalogLinks(document: JsonObject): string[] | undefined {
  if (asString(document.specVersion) !== undefined && Array.isArray(document.entries)) {
    return asObjectArray(asArray(document.entries).slice(0, MAX_ENTRIES))
      .filter(({ mediaType, type }) => readable.test(asString(mediaType) ?? asString(type) ?? ""))
      .flatMap(({ url }) => asString(url) ?? []);
  }
  if (!Array.isArray(document.linkset)) return undefined;
  return asObjectArray(document.linkset.slice(0, MAX_ENTRIES))
    .flatMap((context) => asObjectArray(asObject(context)["service-desc"]))
    .flatMap(({ href }) => asString(href) ?? []);
}
