/** Reproducible stream of pseudo-random numbers (mulberry32). */
export class Random {
  #state: number;

  /**
   * @param stream Index of an independent stream of the seed, so that a record can be generated without earlier ones.
   */
  constructor(seed: number, stream = 0) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35);
    // Skip a few numbers, because neighbouring streams start with similar ones.
    for (let step = 0; step < 3; step++) this.#next();
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let word = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return (word ^ (word >>> 14)) >>> 0;
  }

  /** Returns a number from 0 up to but not including 1. */
  unit(): number {
    return this.#next() / 2 ** 32;
  }

  /** Returns an integer from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.unit() * (most - least + 1));
  }

  /**
   * Draws a rank from 0 to `size - 1` with a frequency of about `1 / (rank + shift)`, the Zipf–Mandelbrot law of word
   * frequencies.
   */
  rank(size: number, shift = 1): number {
    return Math.floor(shift * ((size + shift) / shift) ** this.unit() - shift);
  }

  /** Returns true with a probability of `share`. */
  chance(share: number): boolean {
    return this.unit() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new Error("There is nothing to pick from.");
    return item;
  }

  /** Returns `bytes` random bytes in hex, with `0x`. */
  hex(bytes: number): `0x${string}` {
    let digits = "";
    while (digits.length < bytes * 2) digits += this.#next().toString(16).padStart(8, "0");
    return `0x${digits.slice(0, bytes * 2)}`;
  }

  /** Returns the items in a random order (Fisher–Yates). */
  shuffled<Item>(items: readonly Item[]): Item[] {
    const order = [...items];
    for (let index = order.length - 1; index > 0; index--) {
      const other = this.between(0, index);
      [order[index], order[other]] = [order[other] as Item, order[index] as Item];
    }
    return order;
  }
}
