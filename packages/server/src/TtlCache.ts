import { LRUCache } from "lru-cache";

type Kept<Answer> = { at: number; promise: Promise<Answer>; settled?: { answer: Answer } };

/**
 * Keeps the answers to costly questions for a short time, so that many readers of one page make one check. At most
 * `capacity` answers; those that nobody asked for longest go first.
 */
export class TtlCache<Answer> {
  readonly #answers: LRUCache<string, Kept<Answer>>;
  readonly #now: () => number;

  constructor(capacity: number, now: () => number = Date.now) {
    this.#answers = new LRUCache({ max: capacity });
    this.#now = now;
  }

  /**
   * The answer for a key, when it is not older than `maxAge` milliseconds (which may depend on the answer); else a
   * new one. Callers at the same time share one answer; one that failed is not kept.
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
