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

/**
 * Searches the index, or the chain while the index is away or being built (`source` says which).
 * @throws InvalidSearchError for a cursor of another search, IndexNeededError for what the chain can't answer.
 */
export async function searchRegistry(
  { environment, client }: Pick<Registry, "environment" | "client">,
  query: SearchQuery,
): Promise<SearchPage> {
  // A page of the chain is followed by a page of the chain: the index has cursors of its own.
  const fromChain = query.cursor !== undefined && /^\d+$/.test(query.cursor);
  const page = fromChain ? undefined : await searchIndex(environment.indexerUrls, query);
  return page ?? searchChain({ client, ...toInput(query) });
}

/** The index's answer; undefined when it is away or being built. */
async function searchIndex(
  indexerUrls: readonly string[],
  query: SearchQuery,
): Promise<SearchPage | undefined> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(toInput(query))) parameters.set(name, String(value));
  const answer = await askIndexer(indexerUrls, `/search?${parameters}`, INDEX_TIMEOUT);
  if (answer?.status === 400) throw refusal(answer.body);
  const page = searchPageSchema.safeParse(answer?.body);
  return answer?.status === 200 && page.success ? page.data : undefined;
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
