import type { JsonObject } from "@app-registry/sdk";
import { asArray, asObject, asObjectArray, asString } from "./json.ts";

/** Entries of a catalog that are looked at. */
const MAX_ENTRIES = 100;

/** Media types of an AI catalog's entries that can be read. */
const readable = /a2a-agent-card|mcp-server-card|openapi|ai-card/i;

/**
 * The documents that a catalog names: an AI catalog (`/.well-known/ai-catalog.json`), or an API catalog (RFC 9727, a
 * linkset of RFC 9264), of which the `service-desc` documents are read. Undefined for a document that is no catalog.
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
