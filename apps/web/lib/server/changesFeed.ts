import {
  appPath,
  formatVersion,
  IndexNeededError,
  parseSearchParams,
  parseVersion,
  type SearchResult,
} from "@app-registry/sdk";
import { Feed } from "feed";
import { visibleLines, visibleText } from "../../components/record/visibleText.ts";
import type { Registry } from "./registry.ts";
import { searchRegistry } from "./searchRegistry.ts";

/** Entries of a feed. */
const ENTRIES = "50";

const statusWords = ["", "deprecated", "replaced"] as const;

/**
 * The services that were registered or changed last, latest change first: a version, a status, a holder or the labels.
 * The query narrows it as it narrows a search (`traits=api:mcp`); without `status`, deprecated and replaced ones are
 * of it too.
 *
 * @throws InvalidSearchError, IndexNeededError while the index is away.
 */
export async function changesFeed(url: URL, registry: Registry): Promise<Feed> {
  const { publicUrl } = registry.environment;
  const parameters = new URLSearchParams(url.searchParams);
  parameters.append("sort", "changed");
  parameters.append("limit", ENTRIES);
  if (!parameters.has("status")) parameters.set("status", "any");
  const { results, source } = await searchRegistry(registry, parseSearchParams(parameters));
  if (source === "chain") {
    throw new IndexNeededError([
      { parameter: "feed", message: "the chain does not list records by their changes" },
    ]);
  }
  const self = (path: string) => new URL(`${path}${url.search}`, publicUrl).href;
  const feed = new Feed({
    title: "App Registry: new and changed services",
    id: self("/feed.atom"),
    link: new URL("/apps", publicUrl).href,
    feedLinks: { atom: self("/feed.atom"), json: self("/feed.json") },
    updated: new Date((results[0]?.changedAt ?? 0) * 1_000),
    generator: "App Registry",
  });
  for (const result of results) feed.addItem(entryOf(result, publicUrl));
  return feed;
}

function entryOf(result: SearchResult, publicUrl: string) {
  const { did, status, publisher, updatedAt, changedAt = updatedAt } = result;
  const version = parseVersion(result.version);
  const page = new URL(appPath(did, version), publicUrl).href;
  const word = statusWords[status];
  const name = visibleText(result.name ?? did);
  return {
    id: page,
    link: page,
    title: `${name} ${formatVersion(version)}${word ? ` (${word})` : ""}`,
    description: visibleLines(result.description ?? did),
    published: new Date(updatedAt * 1_000),
    date: new Date(changedAt * 1_000),
    author: publisher === undefined ? [] : [{ name: visibleText(publisher) }],
    category: result.traits.map((trait) => ({ name: trait })),
  };
}
