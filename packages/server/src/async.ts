import { withTimeLimit } from "@app-registry/sdk/internal";
import { LRUCache } from "lru-cache";

/**
 * Returns a function that creates a value at its first call and caches it. A rejected promise is not cached, so that
 * the next call retries.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    if (made) return made.value;
    const value = make();
    made = { value };
    if (value instanceof Promise) {
      value.catch(() => {
        made = undefined;
      });
    }
    return value;
  };
}

/** Maximum age of a result in milliseconds, which may depend on the result. */
type MaxAge<Answer> = number | ((answer: Answer) => number);

type Kept<Answer> = { at: number; promise: Promise<Answer>; settled?: { answer: Answer } };

/**
 * Cache of expensive results, so that many readers of one page cause one check. It holds at most `capacity` results and
 * evicts the least recently used.
 */
export class TtlCache<Answer> {
  readonly #answers: LRUCache<string, Kept<Answer>>;
  readonly #maxAge: MaxAge<Answer>;
  readonly #now: () => number;

  constructor(capacity: number, maxAge: MaxAge<Answer>, now: () => number = Date.now) {
    this.#answers = new LRUCache({ max: capacity });
    this.#maxAge = maxAge;
    this.#now = now;
  }

  /**
   * Returns the cached result of a key if it is not older than `maxAge`, else computes a new one. Concurrent callers
   * share one result. Errors are not cached.
   */
  get(key: string, ask: () => Promise<Answer>, maxAge = this.#maxAge): Promise<Answer> {
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

  #isFresh({ at, settled }: Kept<Answer>, maxAge: MaxAge<Answer>): boolean {
    if (settled === undefined) return true;
    return this.#now() - at < (typeof maxAge === "number" ? maxAge : maxAge(settled.answer));
  }
}

/** Awaits a promise, or the result of `late` if the promise takes more than `milliseconds`. */
export async function withTimeout<T, Late>(
  promise: Promise<T>,
  milliseconds: number,
  late: () => Late,
): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  }).then(late);
  return Promise.race([promise, timeUp]).finally(() => clearTimeout(timer));
}

/** Awaits a promise for at most `milliseconds`. Returns `undefined` if it takes longer or fails. */
export const withinTimeout = <T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> =>
  withTimeout(
    promise.catch(() => undefined),
    milliseconds,
    () => undefined,
  );

/** Deadline shared by several promises. Each rejects with `TimeLimitError` when it passes. */
export type Deadline = <T>(promise: Promise<T>) => Promise<T>;

export function createDeadline(milliseconds: number): Deadline {
  const end = Date.now() + milliseconds;
  return (promise) => withTimeLimit("The request", end - Date.now(), () => promise);
}
