import { isJsonObject, type JsonObject, type JsonValue } from "@app-registry/sdk";
import { printable } from "../../fetch/printable.ts";
import { formatFirst } from "../labels.ts";
import { asObject, asObjectArray, asString, compact } from "./json.ts";

/** Entry of a catalog. Its document is inside the catalog (`data`), or at each of the URLs in another format. */
export type CatalogEntry = {
  identifier: string | undefined;
  urls: string[];
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
const SKILL = "agent skills";

/** Types of the entries of an AI catalog that may describe services. The field is open text. */
const readableTypes = /a2a|mcp|openapi|agent-card|ai-card|ai-catalog|linkset/i;

const invalidEntries = "An AI Catalog has the fields specVersion and entries.";
const invalidLinks = "A linkset has a field for each relation instead of links (RFC 9264).";

/**
 * Reads an AI catalog (`/.well-known/ai-catalog.json`) or an API catalog (RFC 9727, a linkset of RFC 9264). Returns
 * `undefined` if the document is neither.
 */
export function readCatalog(
  { specVersion, entries, services, resources, linkset }: JsonObject,
  url: string,
): Catalog | undefined {
  const isValid = asString(specVersion) !== undefined && Array.isArray(entries);
  const list =
    isValid || /ai-catalog/.test(new URL(url).pathname) ? (entries ?? services ?? resources) : undefined;
  if (Array.isArray(list)) {
    return { entries: listDistinct(list.map(readEntry)), ...(!isValid && { flaw: invalidEntries }) };
  }
  if (!Array.isArray(linkset)) return undefined;
  const contexts = asObjectArray(linkset);
  const isFlat = contexts.some(({ links }) => Array.isArray(links));
  return { entries: listDistinct(readLinkset(contexts)), ...(isFlat && { flaw: invalidLinks }) };
}

function readEntry(value: JsonValue): CatalogEntry {
  const { identifier, type, mediaType, protocol, url, data } = asObject(value);
  // Drafts before 0.9 have `mediaType` instead of `type`.
  const written = compact([asString(type) ?? asString(mediaType), asString(protocol)]).join(" ");
  const entry = toEntry(identifier, compact([asString(url)]));
  if (readableTypes.test(written))
    return { ...entry, ...(entry.urls.length === 0 && isJsonObject(data) && { data: data as JsonObject }) };
  if (/skill|^text\/markdown/i.test(written)) return { ...entry, reason: SKILL };
  return { ...entry, reason: written === "" ? "without a type" : `of the type ${printable(written, 60)}` };
}

function readLinkset(linkset: readonly JsonObject[]): CatalogEntry[] {
  const contexts = linkset.map((context): JsonObject => {
    const links = groupBy(asObjectArray(context.links), ({ rel }) => String(rel));
    return { ...Object.fromEntries(links), ...context };
  });
  const anchors = new Set(contexts.filter((one) => one["service-desc"]).map(({ anchor }) => anchor));
  return contexts.flatMap((context) => {
    const described = listTargets(context["service-desc"] ?? context.describedby);
    const nested = listTargets(context["api-catalog"]).map((url) => toEntry(undefined, [url]));
    if (described.length > 0) return [toEntry(context.anchor, described), ...nested];
    // Items are the APIs themselves, which may have a description at their root.
    const items = listTargets(context.item).filter((url) => !anchors.has(url));
    return [...nested, ...items.map((url) => toEntry(undefined, [url]))];
  });
}

const listTargets = (targets: JsonValue | undefined): string[] =>
  compact(asObjectArray(targets).map(({ href }) => asString(href)));

function toEntry(identifier: JsonValue | undefined, urls: string[]): CatalogEntry {
  const text = asString(identifier);
  return { identifier: text && printable(text, 200), urls };
}

/** Groups values like `Map.groupBy`, which Node.js 20 lacks. */
function groupBy<Value>(values: readonly Value[], toKey: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) groups.set(toKey(value), [...(groups.get(toKey(value)) ?? []), value]);
  return groups;
}

/** Removes entries with the URLs of an earlier one. */
function listDistinct(entries: readonly CatalogEntry[]): CatalogEntry[] {
  const seen = new Set<string>();
  return entries.filter(
    ({ urls: [...urls] }) => urls.length === 0 || seen.size < seen.add(urls.join(" ")).size,
  );
}

/** Lists notes about the form of a catalog, and about the entries that were left out, by reason. */
export function describeCatalog({ entries, flaw }: Catalog, left: readonly LeftOut[], at: string): string[] {
  const reasons = [...groupBy(left, ({ reason }) => reason)].map(([reason, group]) => {
    const urls = compact(group.map(({ url }) => url && printable(url)));
    return `${group.length} ${reason}${urls.length > 0 ? ` (${formatFirst(urls)})` : ""}`;
  });
  const isLeft = (wanted: string) => left.some(({ reason }) => reason.startsWith(wanted));
  const sentences = [
    `Left out ${left.length} of ${entries.length} entries of the catalog at ${at}: ${reasons.slice(0, 6).join("; ")}.`,
    ...(isLeft(ON_OTHER_SITE) ? ["If an address on another site is yours, enter that address."] : []),
    ...(isLeft("of the type") ? ["Only agents, MCP servers, APIs and catalogs are read."] : []),
    ...(isLeft(SKILL) ? ["Agent skills have no address. Enter that of the MCP server or API they use."] : []),
  ];
  return [
    ...(flaw === undefined ? [] : [`The catalog at ${at} isn't valid. ${flaw}`]),
    ...(entries.length === 0 ? [`The catalog at ${at} lists no service.`] : []),
    ...(left.length === 0 ? [] : [sentences.join(" ")]),
  ];
}
