import { createHash } from "node:crypto";
import type { Mutant } from "./generate.ts";
import type { RuleName } from "./rules/rules.ts";

/** Every source and every rule gets at least this many places, as far as it has mutants. */
const LEAST = 2;

/**
 * The order in which mutants are tried, so that however many of the first are taken, each source and each rule has
 * its share. A mutant's place depends on the seed and on what is there, not on the order of the text.
 */
export function orderBySample(mutants: Mutant[], seed: number): Mutant[] {
  const shuffled = mutants
    .map((mutant) => ({ mutant, key: createHash("sha256").update(`${seed}:${mutant.id}`).digest("hex") }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ mutant }) => mutant);
  const waiting = new Set(shuffled);
  const sizes = countBy(shuffled, ({ source }) => source);
  const taken = { sources: new Map<string, number>(), rules: new Map<RuleName, number>() };
  const order: Mutant[] = [];
  while (waiting.size > 0) {
    const next = choose(waiting, sizes, taken);
    waiting.delete(next);
    order.push(next);
    taken.sources.set(next.source, (taken.sources.get(next.source) ?? 0) + 1);
    taken.rules.set(next.rule, (taken.rules.get(next.rule) ?? 0) + 1);
  }
  return order;
}

interface Taken {
  sources: Map<string, number>;
  rules: Map<RuleName, number>;
}

/** From the source that lacks most of its share, the rule that was taken least. */
function choose(waiting: Set<Mutant>, sizes: Map<string, number>, taken: Taken): Mutant {
  let best: Mutant | undefined;
  let bestRank: [need: number, rule: number] = [0, 0];
  for (const mutant of waiting) {
    const had = taken.sources.get(mutant.source) ?? 0;
    // Large sources have more places, but not in proportion: a small one has its faults too.
    const need = had < LEAST ? had - LEAST : had / Math.sqrt(sizes.get(mutant.source) ?? 1);
    const rank: typeof bestRank = [need, taken.rules.get(mutant.rule) ?? 0];
    if (best && (rank[0] > bestRank[0] || (rank[0] === bestRank[0] && rank[1] >= bestRank[1]))) continue;
    [best, bestRank] = [mutant, rank];
  }
  if (!best) throw new Error("No mutants are waiting");
  return best;
}

function countBy<Key>(mutants: Mutant[], key: (mutant: Mutant) => Key): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const mutant of mutants) counts.set(key(mutant), (counts.get(key(mutant)) ?? 0) + 1);
  return counts;
}
