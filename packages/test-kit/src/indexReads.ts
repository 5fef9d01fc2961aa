import type { Index } from "@app-registry/index/openIndex";
import { search as searchIndex } from "@app-registry/index/search/search";
import type { Session } from "@app-registry/index/session";
import { parseSearchParams, type SearchPage, searchPageSchema } from "@app-registry/sdk";
import { z } from "zod";

type Indexed = { index: Index };

/**
 * Reads an answer of a complete index.
 * @throws Error while the index is being built.
 */
export const read = <Answer>(
  { index }: Indexed,
  answer: (session: Session, block: number) => Promise<Answer>,
): Promise<Answer> =>
  index.read(async (session, state) => {
    if (!state.isReady) throw new Error(`The index is being built. It has block ${state.block}.`);
    return answer(session, state.block);
  });

/** Searches the index, and validates the page with the schema that clients use. */
export async function search(indexed: Indexed, query: Record<string, string | number>): Promise<SearchPage> {
  const given = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const parsed = parseSearchParams(new URLSearchParams(given));
  const page = await read(indexed, (session, block) => searchIndex(session, parsed, block));
  return z.strictObject(searchPageSchema.shape).parse(JSON.parse(JSON.stringify(page)));
}

/** Returns the DIDs that a search finds, without the prefix `did:web:`. */
export async function found(indexed: Indexed, query: Record<string, string | number>): Promise<string[]> {
  const { results } = await search(indexed, { limit: 100, ...query });
  return results.map(({ did }) => did.replace("did:web:", ""));
}

/**
 * Waits until the index has reached a block.
 *
 * @throws Error after 180 seconds.
 */
export async function untilIndexed(indexed: Indexed, block: number): Promise<void> {
  const start = performance.now();
  while ((await read(indexed, async (_session, last) => last)) < block) {
    if (performance.now() - start > 180_000) throw new Error(`Block ${block} was not indexed within 180 s.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
