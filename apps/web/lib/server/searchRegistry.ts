import {
  formatVersion,
  type SearchPage,
  type SearchQuery,
  searchChain,
  searchPageSchema,
} from "@app-registry/sdk";
import { askIndexer } from "./askIndexer.ts";
import { ApiProblem } from "./problem.ts";
import type { Registry } from "./registry.ts";

/** Milliseconds that the index has to answer. */
const INDEX_TIMEOUT = 4_000;

type Searched = Pick<Registry, "environment" | "client">;

/**
 * Searches the index, or the chain while the index is away or being built (`source` says which).
 * @throws InvalidSearchError for a cursor of another search, IndexNeededError for what the chain can't answer.
 */
export async function searchRegistry(searched: Searched, query: SearchQuery): Promise<SearchPage> {
  const text = await askIndex(searched, query);
  const page = text === undefined ? undefined : readPage(text);
  return page ?? searchChain({ client: searched.client, ...toInput(query) });
}

/**
 * `searchRegistry` as JSON. What the index says is handed on as it came: to read it and write it again would cost more
 * than everything else that this server does for a search.
 */
export async function searchRegistryAsJson(searched: Searched, query: SearchQuery): Promise<string> {
  const text = await askIndex(searched, query);
  return text ?? JSON.stringify(await searchChain({ client: searched.client, ...toInput(query) }));
}

function readPage(text: string): SearchPage | undefined {
  try {
    return searchPageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** How the index begins a page of results. */
const PAGE_START = '{"results":[';

/** The text of the index's page; undefined when it is away or being built, or the page before was the chain's. */
async function askIndex({ environment }: Searched, query: SearchQuery): Promise<string | undefined> {
  // A page of the chain is followed by a page of the chain: the index has cursors of its own.
  if (query.cursor !== undefined && /^\d+$/.test(query.cursor)) return undefined;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(toInput(query))) parameters.set(name, String(value));
  const answer = await askIndexer(environment.indexerUrls, `/search?${parameters}`, INDEX_TIMEOUT);
  if (answer?.status === 400) throw refusal(JSON.parse(answer.text));
  return answer?.status === 200 && answer.text.startsWith(PAGE_START) ? answer.text : undefined;
}

/** The query was checked before, so what the index refuses is its cursor. */
function refusal(body: unknown): ApiProblem {
  const { code, detail } = body as { code?: unknown; detail?: unknown };
  return new ApiProblem(
    400,
    typeof code === "string" ? code : "invalid-parameter",
    "A parameter is not valid",
    {
      detail: typeof detail === "string" ? detail : undefined,
      problems: [{ parameter: "cursor", message: "is not a cursor of this search" }],
    },
  );
}

/** A parsed query as it is written: parsing it again gives the same. */
function toInput({ minVersion, traits, ...query }: SearchQuery) {
  const written = {
    ...query,
    ...(traits ? { traits: traits.join(",") } : {}),
    ...(minVersion ? { minVersion: formatVersion(minVersion) } : {}),
  };
  return Object.fromEntries(
    Object.entries(written).filter(([, value]) => value !== undefined),
  ) as typeof written;
}
