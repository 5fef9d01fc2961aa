import {
  appPath,
  appStatusLabels,
  getProvenSubject,
  parseVersion,
  type SearchResult,
  visibleLines,
  visibleText,
} from "@app-registry/sdk";
import { Feed } from "feed";
import { respondWithEtag } from "./etag.ts";
import { type RecentChanges, type RecordEvent, readRecentChanges } from "./readLive.ts";
import type { Registry } from "./registry.ts";
import { searchIndex } from "./searchRegistry.ts";

/** Maximum number of entries in a feed. */
const ENTRIES = 50;

type FeedFormat = "atom" | "json";

const contentTypes = { atom: "application/atom+xml; charset=utf-8", json: "application/feed+json" };

/** Answers GET /feed.atom and GET /feed.json. */
export async function serveChanges(
  request: Request,
  source: Registry,
  format: FeedFormat,
): Promise<Response> {
  return respondWithEtag(request, await changesFeed(new URL(request.url), source, format), {
    "content-type": contentTypes[format],
    "cache-control": "public, max-age=60",
  });
}

/**
 * Returns a feed of the services that changed last, latest first: a new version, status, holder or metadata, and the
 * changes that live checks found. The query filters as in a search (`traits=api:mcp`). Without `status`, deprecated and
 * replaced services are included.
 *
 * @throws ApiProblem 400 from the index for an invalid search
 * @throws IndexRequiredError while the index is unavailable.
 */
export async function changesFeed(url: URL, source: Registry, format: FeedFormat): Promise<string> {
  const parameters = new URLSearchParams(url.searchParams);
  parameters.append("sort", "changed");
  parameters.append("limit", String(ENTRIES));
  if (!parameters.has("status")) parameters.set("status", "any");
  const { results } = await searchIndex(source, parameters, {
    parameter: "feed",
    message: "requires the search index, which is unavailable",
  });
  const changes = await readRecentChanges(
    source,
    results.map(({ tokenId }) => tokenId),
  );
  return renderFeed(results, changes, { publicUrl: source.environment.publicUrl, query: url.search, format });
}

type FeedParameters = { publicUrl: string; query: string; format: FeedFormat };

/** Renders records and their events as Atom (RFC 4287) or JSON Feed. */
export function renderFeed(
  results: readonly SearchResult[],
  { events, versions }: RecentChanges,
  { publicUrl, query, format }: FeedParameters,
): string {
  // The library treats the text of an Atom entry as HTML, so text from publishers must be escaped.
  const text = format === "atom" ? escapeHtml : (plain: string) => plain;
  const byToken = new Map(versions.map((version) => [version.tokenId, version]));
  const entries = [
    ...results.map((result) => createEntry(result, byToken.get(result.tokenId), publicUrl, text)),
    ...events.map((event) => toEventEntry(event, publicUrl, text)),
  ].sort((one, other) => other.date.getTime() - one.date.getTime());
  const self = (path: string) => new URL(`${path}${query}`, publicUrl).href;
  const feed = new Feed({
    title: "App Registry: new and changed services",
    id: self("/feed.atom"),
    link: new URL("/apps", publicUrl).href,
    feedLinks: { atom: self("/feed.atom"), json: self("/feed.json") },
    updated: entries[0]?.date ?? new Date(0),
    generator: "App Registry",
    // Atom requires a fallback author for entries without one (RFC 4287, 4.1.1).
    author: { name: "App Registry" },
  });
  for (const entry of entries.slice(0, ENTRIES)) feed.addItem(entry);
  return format === "atom" ? feed.atom1() : feed.json1();
}

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/**
 * Creates an entry, whose title says what changed. It starts with the proven name, because the service's own name is
 * only claimed.
 */
function createEntry(
  result: SearchResult,
  last: RecentChanges["versions"][number] | undefined,
  publicUrl: string,
  text: (plain: string) => string,
) {
  const { did, proven, status, updatedAt, changedAt = updatedAt } = result;
  const page = new URL(appPath(did, parseVersion(result.version)), publicUrl).href;
  const word = status === 0 ? "" : `(${appStatusLabels[status].toLowerCase()})`;
  const after = last && `after ${last.before}${last.summary && `: ${visibleText(last.summary)}`}`;
  const words = [visibleText(result.name ?? ""), result.version, word, after].filter(Boolean);
  return {
    id: page,
    link: page,
    title: text(`${proven.name}: ${words.join(" ")}`),
    description: text(visibleLines(result.description ?? did)),
    published: new Date(updatedAt * 1_000),
    date: new Date(changedAt * 1_000),
    author: [{ name: proven.name }],
    category: result.traits.map((trait) => ({ name: trait })),
  };
}

const eventWords: Record<RecordEvent["kind"], string> = {
  stopped: "stopped responding",
  answers: "is responding again",
  changed: "differs from the registered version",
  same: "matches the registered version again",
  controlled: "is controlled by its publisher",
  uncontrolled: "is no longer controlled by its publisher",
};

/** Creates the entry of an event. Its id does not change when the record gets a new version. */
export function toEventEntry(
  { tokenId, did, version, at, kind, detail }: RecordEvent,
  publicUrl: string,
  text: (plain: string) => string,
) {
  const page = new URL(appPath(did), publicUrl).href;
  const { name } = getProvenSubject(did);
  const date = new Date(at * 1_000);
  return {
    id: `${page}#live-${tokenId}-${at}-${kind}`,
    link: `${new URL(appPath(did, parseVersion(version)), publicUrl).href}#live`,
    title: text(`${name}: ${eventWords[kind]}`),
    description: text(visibleLines(detail)),
    published: date,
    date,
  };
}
