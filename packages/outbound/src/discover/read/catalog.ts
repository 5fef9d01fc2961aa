import type { JsonObject, JsonValue } from "@app-registry/sdk";
import { printable } from "../../fetch/printable.ts";
import { asObject, asObjectArray, asString, compact } from "./json.ts";

/** Entry of a catalog. Its document is inside the catalog (`data`), or at each of the URLs in another format. */
export type CatalogEntry = { identifier: string | undefined; urls: string[]; data?: JsonObject };

/** Entries of a catalog that may describe services, and the number of all entries. */
export type Catalog = { entries: CatalogEntry[]; total: number };

/** Types of the entries of an AI catalog that may describe services. The field is open text. */
const readableTypes = /a2a|mcp|openapi|agent-card|ai-card|ai-catalog|linkset/i;

/**
 * Reads an AI catalog (`/.well-known/ai-catalog.json`) or an API catalog (RFC 9727, a linkset of RFC 9264). Returns
 * `undefined` if the document is neither.
 */
export function readCatalog({ specVersion, entries, linkset }: JsonObject): Catalog | undefined {
  if (asString(specVersion) !== undefined && Array.isArray(entries)) {
    const readable = asObjectArray(entries)
      // Drafts before 0.9 have `mediaType` instead of `type`.
      .filter(({ type, mediaType }) => readableTypes.test(asString(type) ?? asString(mediaType) ?? ""))
      .map(({ identifier, url, data }) => ({
        ...toEntry(identifier, compact([asString(url)])),
        ...(url === undefined && { data: asObject(data) }),
      }));
    return { entries: readable, total: entries.length };
  }
  if (!Array.isArray(linkset)) return undefined;
  const links = asObjectArray(linkset).flatMap((context) => {
    const described = listTargets(context["service-desc"]);
    const nested = listTargets(context["api-catalog"]).map((url) => toEntry(undefined, [url]));
    if (described.length > 0) return [toEntry(context.anchor, described), ...nested];
    // Items are the APIs themselves, which may have a description at their root.
    return [...nested, ...listTargets(context.item).map((url) => toEntry(undefined, [url]))];
  });
  const seen = new Set<string>();
  const unique = links.filter(({ urls }) => seen.size < seen.add(urls.join(" ")).size);
  return { entries: unique, total: unique.length };
}

const listTargets = (targets: JsonValue | undefined): string[] =>
  compact(asObjectArray(targets).map(({ href }) => asString(href)));

function toEntry(identifier: JsonValue | undefined, urls: string[]): CatalogEntry {
  const text = asString(identifier);
  return { identifier: text && printable(text, 200), urls };
}
