/** Repeatable random numbers (mulberry32) and ways to draw from them. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = Math.imul(seed + 1, 0x9e3779b1);
  }

  /** Returns a number of at least 0 and less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance = (probability: number) => this.next() < probability;
  /** Returns an integer between the bounds, including both. */
  between = (low: number, high: number) => low + Math.floor(this.next() * (high - low + 1));

  of<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    return choices[this.between(0, choices.length - 1)] as T;
  }

  /** Returns a choice that fits. Returns any choice sometimes, and if none fits. */
  preferring<T>(choices: readonly T[], fits: (choice: T) => boolean, often = 0.85): T {
    const fitting = this.chance(often) ? choices.filter(fits) : [];
    return this.of(fitting.length > 0 ? fitting : choices);
  }

  weighted<T extends string>(weights: Record<T, number>): T {
    const names = Object.keys(weights) as T[];
    let left = this.next() * names.reduce((sum, name) => sum + weights[name], 0);
    for (const name of names) {
      left -= weights[name];
      if (left < 0) return name;
    }
    return names[0] as T;
  }
}
