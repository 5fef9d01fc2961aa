import {
  appPath,
  appStatusLabels,
  getProvenSubject,
  parseSearchParams,
  parseVersion,
  type SearchResult,
  visibleLines,
  visibleText,
} from "@app-registry/sdk";
import { Feed } from "feed";
import { createRoute, type RouteHandler } from "./createRouteHandler.ts";
import { respondWithEtag } from "./etag.ts";
import { type LiveEvent, readLiveEvents } from "./readLive.ts";
import { type Registry, registry } from "./registry.ts";
import { searchIndex } from "./searchRegistry.ts";

/** Entries of a feed. */
const ENTRIES = 50;

type FeedFormat = "atom" | "json";

const contentTypes = { atom: "application/atom+xml; charset=utf-8", json: "application/feed+json" };

/** The methods of /feed.atom or /feed.json. */
export function feedRoute(format: FeedFormat) {
  const answer: RouteHandler = async (request) =>
    respondWithEtag(request, await changesFeed(new URL(request.url), registry(), format), {
      "content-type": contentTypes[format],
      "cache-control": "public, max-age=60",
    });
  return createRoute({ GET: answer }, { limit: "searchClient" });
}

/**
 * The services that were registered or changed last, latest change first: a version, a status, a holder or the labels;
 * and what the prober saw change in them. The query narrows it as it narrows a search (`traits=api:mcp`); without
 * `status`, deprecated and replaced ones are of it too.
 *
 * @throws InvalidSearchError, IndexNeededError while the index is away.
 */
export async function changesFeed(url: URL, source: Registry, format: FeedFormat): Promise<string> {
  const parameters = new URLSearchParams(url.searchParams);
  parameters.append("sort", "changed");
  parameters.append("limit", String(ENTRIES));
  if (!parameters.has("status")) parameters.set("status", "any");
  const { results } = await searchIndex(source, parseSearchParams(parameters), {
    parameter: "feed",
    message: "requires the search index, which is unavailable",
  });
  const events = await readLiveEvents(
    source,
    results.map(({ tokenId }) => tokenId),
  );
  return renderFeed(results, events, { publicUrl: source.environment.publicUrl, query: url.search, format });
}

type FeedParameters = { publicUrl: string; query: string; format: FeedFormat };

/** A feed of records and of what the prober saw change, as RFC 4287 or JSON Feed writes it. */
export function renderFeed(
  results: readonly SearchResult[],
  events: readonly LiveEvent[],
  { publicUrl, query, format }: FeedParameters,
): string {
  // The library calls the texts of an Atom entry HTML, and a stranger wrote them.
  const text = format === "atom" ? escapeHtml : (plain: string) => plain;
  const entries = [
    ...results.map((result) => createEntry(result, publicUrl, text)),
    ...events.map((event) => toLiveFeedEntry(event, publicUrl, text)),
  ].sort((one, other) => other.date.getTime() - one.date.getTime());
  const self = (path: string) => new URL(`${path}${query}`, publicUrl).href;
  const feed = new Feed({
    title: "App Registry: new and changed services",
    id: self("/feed.atom"),
    link: new URL("/apps", publicUrl).href,
    feedLinks: { atom: self("/feed.atom"), json: self("/feed.json") },
    updated: entries[0]?.date ?? new Date(0),
    generator: "App Registry",
    // Of every entry whose publisher is not known (RFC 4287, 4.1.1).
    author: { name: "App Registry" },
  });
  for (const entry of entries.slice(0, ENTRIES)) feed.addItem(entry);
  return format === "atom" ? feed.atom1() : feed.json1();
}

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** An entry begins with what is proven, because the name is a claim. */
function createEntry(result: SearchResult, publicUrl: string, text: (plain: string) => string) {
  const { did, proven, status, updatedAt, changedAt = updatedAt } = result;
  const page = new URL(appPath(did, parseVersion(result.version)), publicUrl).href;
  const word = status === 0 ? "" : `(${appStatusLabels[status].toLowerCase()})`;
  const words = [visibleText(result.name ?? ""), result.version, word].filter(Boolean);
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

const liveWords: Record<LiveEvent["kind"], string> = {
  stopped: "stopped responding",
  answers: "is responding again",
  changed: "differs from the registered version",
  same: "matches the registered version again",
};

/** What the prober saw change. Its id stays the same when the record gets a new version. */
export function toLiveFeedEntry(
  { tokenId, did, version, at, kind, detail }: LiveEvent,
  publicUrl: string,
  text: (plain: string) => string,
) {
  const page = new URL(appPath(did), publicUrl).href;
  const { name } = getProvenSubject(did);
  const date = new Date(at * 1_000);
  return {
    id: `${page}#live-${tokenId}-${at}-${kind}`,
    link: `${new URL(appPath(did, parseVersion(version)), publicUrl).href}#live`,
    title: text(`${name}: ${liveWords[kind]}`),
    description: text(visibleLines(detail)),
    published: date,
    date,
  };
}
