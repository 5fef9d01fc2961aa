import type { Random } from "./random.ts";

/**
 * Ranks from 0 whose frequency falls as Zipf and Mandelbrot found for words: `1 / (rank + 1 + shift) ** exponent`.
 */
export class Zipf {
  readonly #cumulated: Float64Array;

  constructor(size: number, { exponent = 1, shift = 0 } = {}) {
    this.#cumulated = new Float64Array(size);
    let sum = 0;
    for (let rank = 0; rank < size; rank++) {
      sum += 1 / (rank + 1 + shift) ** exponent;
      this.#cumulated[rank] = sum;
    }
  }

  /** Draws a rank. */
  draw(random: Random): number {
    const wanted = random.unit() * (this.#cumulated.at(-1) ?? 0);
    let [low, high] = [0, this.#cumulated.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#cumulated[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
