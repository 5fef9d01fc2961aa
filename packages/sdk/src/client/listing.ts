/** One page of a listing. `nextCursor` starts the next page; null when this is the last. */
export type Page<Item> = { items: readonly Item[]; nextCursor: bigint | null };

/** Where a listing starts, and how many items it asks for in one call. */
export type ListingOptions = {
  /** Items in one call, 1 to 100; default 50. A page may hold fewer. */
  limit?: number | undefined;
  /** The nextCursor of an earlier page; default the beginning. */
  cursor?: bigint | undefined;
};

/**
 * A listing read page by page, while it is iterated:
 * `for await (const item of listing)` or `for await (const page of listing.pages())`.
 */
export type Listing<Item> = AsyncIterable<Item> & {
  /** The same listing page by page, each with the cursor of the next. */
  pages(): AsyncIterable<Page<Item>>;
};

const defaultLimit = 50;

/** Builds a listing from a function that reads one page; the contracts' cursor 0 means that no page is left. */
export function createPaginator<Raw, Item>(
  options: ListingOptions,
  readPage: (cursor: bigint, limit: bigint) => Promise<readonly [readonly Raw[], bigint]>,
  toItem: (raw: Raw) => Item,
): Listing<Item> {
  async function* pages(): AsyncGenerator<Page<Item>> {
    let cursor = options.cursor ?? 0n;
    do {
      const [raws, next] = await readPage(cursor, BigInt(options.limit ?? defaultLimit));
      cursor = next;
      yield { items: raws.map(toItem), nextCursor: next === 0n ? null : next };
    } while (cursor !== 0n);
  }
  async function* items(): AsyncGenerator<Item> {
    for await (const page of pages()) yield* page.items;
  }
  return { pages, [Symbol.asyncIterator]: items };
}
