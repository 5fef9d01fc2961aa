import { type SearchPage, searchPageSchema } from "@app-registry/sdk";
import { z } from "zod";

type Server = { url: string };

/** Searches the indexer, and validates the response with the schema that clients use. */
export async function search(indexer: Server, query: Record<string, string | number>): Promise<SearchPage> {
  const { status, body } = await get(indexer, "/search", query);
  if (status !== 200) throw new Error(`/search answered ${status}: ${JSON.stringify(body)}`);
  return z.strictObject(searchPageSchema.shape).parse(body);
}

/** Returns the DIDs that a search finds, without the prefix `did:web:`. */
export async function found(indexer: Server, query: Record<string, string | number>): Promise<string[]> {
  const { results } = await search(indexer, { limit: 100, ...query });
  return results.map(({ did }) => did.replace("did:web:", ""));
}

/** Sends a GET request to the indexer. */
export async function get(
  indexer: Server,
  path: string,
  query: Record<string, string | number> | string = {},
) {
  const parameters =
    typeof query === "string"
      ? query
      : new URLSearchParams(
          Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
        ).toString();
  const response = await fetch(`${indexer.url}${path}?${parameters}`);
  const type = response.headers.get("content-type") ?? "";
  return { status: response.status, type, body: (await response.json()) as unknown };
}

/**
 * Waits until the index has reached a block.
 *
 * @throws Error after 180 seconds.
 */
export async function untilIndexed(indexer: Server, block: number): Promise<void> {
  const start = performance.now();
  while ((await search(indexer, { limit: 1 })).block < block) {
    if (performance.now() - start > 180_000) throw new Error(`Block ${block} was not indexed within 180 s.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
