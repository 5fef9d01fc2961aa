import { isJsonObject, type JsonObject, type JsonValue } from "@app-registry/sdk";
import { printable } from "../../fetch/printable.ts";
import { formatFirst } from "../labels.ts";
import { asObject, asString, compact } from "./json.ts";

/** Entry of a catalog. Its document is inside the catalog (`data`), or at the URL. */
export type CatalogEntry = {
  identifier: string | undefined;
  url: string | undefined;
  data?: JsonObject;
  /** Reason to leave it out, as in `LeftOut`. */
  reason?: string;
};

/** Entries of a catalog, and a sentence about its form if it is not valid. */
export type Catalog = { entries: CatalogEntry[]; flaw?: string };

/** Entry that was left out: a reason that fits "3 of the entries are …", and its URL if that is useful. */
export type LeftOut = { reason: string; url?: string };

export const ON_OTHER_SITE = "on another site";
export const OVER_LIMIT = "beyond the limits of one search";
/** Types of the entries of an AI catalog that may describe services. The field is open text. */
const readableTypes = /a2a|mcp|openapi|agent-card|ai-card|ai-catalog|linkset/i;

const invalidEntries = "An AI Catalog has the fields specVersion and entries.";

/** Reads an AI catalog (`/.well-known/ai-catalog.json`). Returns `undefined` for another document. */
export function readCatalog(
  { specVersion, entries, services, resources }: JsonObject,
  url: string,
): Catalog | undefined {
  const isValid = asString(specVersion) !== undefined && Array.isArray(entries);
  const list =
    isValid || /ai-catalog/.test(new URL(url).pathname) ? (entries ?? services ?? resources) : undefined;
  if (!Array.isArray(list)) return undefined;
  return { entries: listDistinct(list.map(readEntry)), ...(!isValid && { flaw: invalidEntries }) };
}

function readEntry(value: JsonValue): CatalogEntry {
  const { identifier, type, mediaType, protocol, url, data } = asObject(value);
  // Drafts before 0.9 have `mediaType` instead of `type`.
  const written = compact([asString(type) ?? asString(mediaType), asString(protocol)]).join(" ");
  const text = asString(identifier);
  const entry = { identifier: text && printable(text, 200), url: asString(url) };
  if (readableTypes.test(written))
    return { ...entry, ...(entry.url === undefined && isJsonObject(data) && { data: data as JsonObject }) };
  if (/^text\//i.test(written)) return { ...entry, reason: "documents" };
  return { ...entry, reason: written === "" ? "without a type" : `of the type ${printable(written, 60)}` };
}

/** Groups values like `Map.groupBy`, which Node.js 20 lacks. */
function groupBy<Value>(values: readonly Value[], toKey: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) groups.set(toKey(value), [...(groups.get(toKey(value)) ?? []), value]);
  return groups;
}

/** Removes entries with the URL of an earlier one. */
function listDistinct(entries: readonly CatalogEntry[]): CatalogEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ url }) => url === undefined || seen.size < seen.add(url).size);
}

/** Lists notes about the form of a catalog, and about the entries that were left out, by reason. */
export function describeCatalog({ entries, flaw }: Catalog, left: readonly LeftOut[], at: string): string[] {
  const reasons = [...groupBy(left, ({ reason }) => reason)].map(([reason, group]) => {
    const urls = compact(group.map(({ url }) => url && printable(url)));
    const text = group.length === 1 ? reason.replace(/^documents$/, "document") : reason;
    return `${group.length} ${text}${urls.length > 0 ? ` (${formatFirst(urls)})` : ""}`;
  });
  const isLeft = (wanted: string) => left.some(({ reason }) => reason.startsWith(wanted));
  const sentences = [
    `Left out ${left.length} of ${entries.length} entries of the catalog at ${at}: ${reasons.slice(0, 6).join("; ")}.`,
    ...(isLeft(ON_OTHER_SITE) ? ["If an address on another site is yours, enter that address."] : []),
    ...(isLeft("of the type") ? ["Only agents, MCP servers, APIs and catalogs are read."] : []),
  ];
  return [
    ...(flaw === undefined ? [] : [`The catalog at ${at} isn't valid. ${flaw}`]),
    ...(entries.length === 0 ? [`The catalog at ${at} lists no service.`] : []),
    ...(left.length === 0 ? [] : [sentences.join(" ")]),
  ];
}
