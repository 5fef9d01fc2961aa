/** Creates a reproducible random number generator (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** Returns an integer from 0 up to but not including `end`. */
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    chance: (probability: number): boolean => next() < probability,
    pick: <T>(values: readonly T[]): T => values[below(values.length)] as T,
  };
}

export type Random = ReturnType<typeof randomFrom>;
