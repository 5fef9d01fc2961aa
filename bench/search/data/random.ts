/** A stream of pseudo-random numbers (mulberry32): the same seed gives the same numbers everywhere. */
export class Random {
  #state: number;

  /** `stream` picks one of many independent streams of a seed, so that record 7 needs no records 0 to 6 before it. */
  constructor(seed: number, stream = 0) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35);
    // Neighbouring streams start alike; a few steps part them.
    for (let step = 0; step < 3; step++) this.#next();
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let word = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return (word ^ (word >>> 14)) >>> 0;
  }

  /** At least 0, below 1. */
  unit(): number {
    return this.#next() / 2 ** 32;
  }

  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.unit() * (most - least + 1));
  }

  /**
   * Draws a rank from 0 to `size - 1` whose frequency falls as Zipf and Mandelbrot found for words, with about
   * `1 / (rank + shift)`.
   */
  rank(size: number, shift = 1): number {
    return Math.floor(shift * ((size + shift) / shift) ** this.unit() - shift);
  }

  /** True with a probability of `share`. */
  chance(share: number): boolean {
    return this.unit() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new Error("There is nothing to pick from.");
    return item;
  }

  /** `0x` and `bytes` random bytes. */
  hex(bytes: number): `0x${string}` {
    let digits = "";
    while (digits.length < bytes * 2) digits += this.#next().toString(16).padStart(8, "0");
    return `0x${digits.slice(0, bytes * 2)}`;
  }

  /** The items in a random order (Fisher–Yates). */
  shuffled<Item>(items: readonly Item[]): Item[] {
    const order = [...items];
    for (let index = order.length - 1; index > 0; index--) {
      const other = this.between(0, index);
      [order[index], order[other]] = [order[other] as Item, order[index] as Item];
    }
    return order;
  }
}
