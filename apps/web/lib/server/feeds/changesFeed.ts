import {
  appPath,
  appStatusLabels,
  getProvenSubject,
  parseVersion,
  type SearchResult,
  visibleLines,
  visibleText,
} from "@app-registry/sdk";
import { respondWithEtag, sharedForBlock } from "../http/request.ts";
import { type FeedEntry, renderAtom } from "../http/xml.ts";
import { type RecentChanges, type RecordEvent, readRecentChanges } from "../records/readLive.ts";
import { searchIndex } from "../records/searchRegistry.ts";
import type { Registry } from "../registry.ts";

/** Maximum number of entries in a feed. */
const ENTRIES = 50;

/** Answers GET /feed.atom. */
export async function serveChanges(request: Request, source: Registry): Promise<Response> {
  return respondWithEtag(request, await changesFeed(new URL(request.url), source), {
    "content-type": "application/atom+xml; charset=utf-8",
    "cache-control": sharedForBlock,
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
export async function changesFeed(url: URL, source: Registry): Promise<string> {
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
  return renderFeed(results, changes, { publicUrl: source.environment.publicUrl, query: url.search });
}

/** Renders records and their events as a feed. */
export function renderFeed(
  results: readonly SearchResult[],
  { events, versions }: RecentChanges,
  { publicUrl, query }: { publicUrl: string; query: string },
): string {
  const byToken = new Map(versions.map((version) => [version.tokenId, version]));
  const entries = [
    ...results.map((result) => createEntry(result, byToken.get(result.tokenId), publicUrl)),
    ...events.map((event) => toEventEntry(event, publicUrl)),
  ].sort((one, other) => other.updated.getTime() - one.updated.getTime());
  const title = "App Registry: new and changed services";
  const url = (path: string) => new URL(path, publicUrl).href;
  return renderAtom(
    { title, self: url(`/feed.atom${query}`), link: url("/apps") },
    entries.slice(0, ENTRIES),
  );
}

/**
 * Creates an entry, whose title says what changed. It starts with the proven name, because the service's own name is
 * only claimed.
 */
function createEntry(
  result: SearchResult,
  last: RecentChanges["versions"][number] | undefined,
  publicUrl: string,
): FeedEntry {
  const { did, proven, status, updatedAt, changedAt = updatedAt } = result;
  const page = new URL(appPath(did, parseVersion(result.version)), publicUrl).href;
  const word = status === 0 ? "" : `(${appStatusLabels[status].toLowerCase()})`;
  const after = last && `after ${last.before}${last.summary && `: ${visibleText(last.summary)}`}`;
  const words = [visibleText(result.name ?? ""), result.version, word, after].filter(Boolean);
  return {
    id: page,
    link: page,
    title: `${proven.name}: ${words.join(" ")}`,
    summary: visibleLines(result.description ?? did),
    published: new Date(updatedAt * 1_000),
    updated: new Date(changedAt * 1_000),
    author: proven.name,
    categories: result.traits,
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
): FeedEntry {
  const page = new URL(appPath(did), publicUrl).href;
  const { name } = getProvenSubject(did);
  const date = new Date(at * 1_000);
  return {
    id: `${page}#live-${tokenId}-${at}-${kind}`,
    link: `${new URL(appPath(did, parseVersion(version)), publicUrl).href}#live`,
    title: `${name}: ${eventWords[kind]}`,
    summary: visibleLines(detail),
    published: date,
    updated: date,
  };
}
