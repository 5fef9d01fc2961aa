import type { JsonObject, JsonValue } from "@app-registry/sdk";
import { printable } from "../../fetch/printable.ts";
import { asArray, asObject, asObjectArray, asString, compact } from "./json.ts";

/** Entry of a catalog. Its document is at one of the URLs, or inside the catalog. */
export type CatalogEntry = {
  identifier: string | undefined;
  /** URLs of the document in several formats, relative to the catalog's URL. */
  urls: string[];
  data?: JsonObject;
};

/** Entries of a catalog that may describe services, and the number of all entries. */
export type Catalog = { entries: CatalogEntry[]; total: number };

/** Maximum number of entries to read, in all catalogs of a discovery. */
export const MAX_CATALOG_ENTRIES = 100;

/** Types of the entries of an AI catalog that may describe services. The field is open text. */
const readableTypes = /a2a|mcp|openapi|agent-card|ai-card|ai-catalog|linkset/i;

/**
 * Reads an AI catalog (`/.well-known/ai-catalog.json`) or an API catalog (RFC 9727, a linkset of RFC 9264). Returns
 * `undefined` if the document is neither.
 */
export function readCatalog(document: JsonObject): Catalog | undefined {
  if (asString(document.specVersion) !== undefined && Array.isArray(document.entries)) {
    return select(
      document.entries,
      asObjectArray(document.entries)
        // The drafts before 0.9 have `mediaType` instead of `type`.
        .filter(({ type, mediaType }) => readableTypes.test(asString(type) ?? asString(mediaType) ?? ""))
        .map(({ identifier, url, data }) => ({
          identifier: toIdentifier(identifier),
          urls: compact([asString(url)]),
          ...(url === undefined && { data: asObject(data) }),
        })),
    );
  }
  if (!Array.isArray(document.linkset)) return undefined;
  const contexts = asObjectArray(document.linkset);
  const described = contexts.flatMap((context) => {
    const urls = listTargets(context["service-desc"]);
    return urls.length > 0 ? [{ identifier: toIdentifier(context.anchor), urls }] : [];
  });
  const link = (url: string) => ({ identifier: toIdentifier(url), urls: [url] });
  const nested = contexts.flatMap((context) => listTargets(context["api-catalog"]).map(link));
  const entries = [...described, ...nested];
  // Items are the APIs themselves, which may have a description at their root.
  const items = contexts.flatMap(({ item }) => listTargets(item).map(link));
  return entries.length > 0 ? select(entries, entries) : select(items, items);
}

const select = (all: readonly unknown[], entries: CatalogEntry[]): Catalog => ({
  entries: entries.slice(0, MAX_CATALOG_ENTRIES),
  total: all.length,
});

const listTargets = (targets: JsonValue | undefined): string[] =>
  compact(asObjectArray(asArray(targets)).map(({ href }) => asString(href)));

function toIdentifier(value: JsonValue | undefined): string | undefined {
  const text = asString(value);
  return text === undefined ? undefined : printable(text, 200);
}
