/** Page of a listing. `nextCursor` starts the next page; null on the last page. */
export type Page<Item> = { items: readonly Item[]; nextCursor: bigint | null };

/** Start and page size of a listing. */
export type ListingOptions = {
  /** Items per call, 1 to 100; default 50. A page may have fewer. */
  limit?: number | undefined;
  /** The `nextCursor` of an earlier page. Default: the beginning. */
  cursor?: bigint | undefined;
};

/**
 * Listing that is read page by page while it is iterated:
 * `for await (const item of listing)` or `for await (const page of listing.pages())`.
 */
export type Listing<Item> = AsyncIterable<Item> & {
  /** Iterates over the pages, each with the cursor of the next. */
  pages(): AsyncIterable<Page<Item>>;
};

const defaultLimit = 50;

/** Creates a listing from a function that reads one page. The contracts return the cursor 0 after the last page. */
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
