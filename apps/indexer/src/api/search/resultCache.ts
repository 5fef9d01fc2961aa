import { LRUCache } from "lru-cache";

/** A result as an answer holds it, of a record in one state (see `recordState`). */
type RenderedResult = { state: string; json: string };

/** Bytes of a cached result besides its texts, about. */
const OVERHEAD = 300;

/** Results by token id, the last ones that were asked for: as many as fit into about `bytes` of memory. */
export const resultCache = (bytes: number) =>
  new LRUCache<string, RenderedResult>({
    maxSize: bytes,
    // A character takes a byte or two.
    sizeCalculation: ({ state, json }) => 2 * (state.length + json.length) + OVERHEAD,
  });
