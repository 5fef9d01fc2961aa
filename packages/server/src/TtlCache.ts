import { LRUCache } from "lru-cache";

type Kept<Answer> = { at: number; promise: Promise<Answer>; settled?: { answer: Answer } };

/**
 * Cache of expensive results, so that many readers of one page cause one check. It holds at most `capacity` results and
 * evicts the least recently used.
 */
export class TtlCache<Answer> {
  readonly #answers: LRUCache<string, Kept<Answer>>;
  readonly #now: () => number;

  constructor(capacity: number, now: () => number = Date.now) {
    this.#answers = new LRUCache({ max: capacity });
    this.#now = now;
  }

  /**
   * Returns the cached result of a key if it is not older than `maxAge` milliseconds (which may depend on the result),
   * else computes a new one. Concurrent callers share one result. Errors are not cached.
   */
  get(key: string, maxAge: (answer: Answer) => number, ask: () => Promise<Answer>): Promise<Answer> {
    const kept = this.#answers.get(key);
    if (kept !== undefined && this.#isFresh(kept, maxAge)) return kept.promise;
    const promise = ask();
    const entry: Kept<Answer> = { at: this.#now(), promise };
    this.#answers.set(key, entry);
    promise.then(
      (answer) => {
        entry.settled = { answer };
      },
      () => {
        if (this.#answers.get(key) === entry) this.#answers.delete(key);
      },
    );
    return promise;
  }

  #isFresh({ at, settled }: Kept<Answer>, maxAge: (answer: Answer) => number): boolean {
    return settled === undefined || this.#now() - at < maxAge(settled.answer);
  }
}
