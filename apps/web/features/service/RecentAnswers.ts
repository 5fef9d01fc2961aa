/**
 * Keeps the answers to costly questions for a short time, so that many readers of one page make one check. At most
 * `capacity` answers; the oldest goes first.
 */
export class RecentAnswers<Answer> {
  readonly #answers = new Map<string, { at: number; answer: Promise<Answer> }>();
  readonly #capacity: number;
  readonly #now: () => number;

  constructor(capacity: number, now: () => number = Date.now) {
    this.#capacity = capacity;
    this.#now = now;
  }

  /**
   * The answer for a key, when it is not older than `maxAge` milliseconds; else a new one. Callers at the same time
   * share one answer; one that failed is not kept.
   */
  get(key: string, maxAge: number, ask: () => Promise<Answer>): Promise<Answer> {
    const kept = this.#answers.get(key);
    if (kept !== undefined && this.#now() - kept.at < maxAge) return kept.answer;
    const answer = ask();
    this.#answers.delete(key);
    this.#answers.set(key, { at: this.#now(), answer });
    answer.catch(() => {
      if (this.#answers.get(key)?.answer === answer) this.#answers.delete(key);
    });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#capacity) break;
      this.#answers.delete(oldest);
    }
    return answer;
  }
}
