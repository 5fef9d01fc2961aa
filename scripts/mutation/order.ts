import type { Baseline } from "./baseline.ts";
import type { Mutant } from "./generate.ts";
import { type ParsedProject, sourceOf } from "./project.ts";
import { filesReaching } from "./reach.ts";

/**
 * The test files that a fault can change, in the order in which they are tried: those that run the fault before the
 * rest, the quick ones first. A Solidity test that does not have the source in its code can't change.
 */
export function orderTests(mutant: Mutant, { targets }: ParsedProject, baseline: Baseline): string[] {
  const reaching = filesReaching(mutant, baseline.reach);
  const rank = (file: string) => {
    const closure = targets.find(({ source }) => source === sourceOf(file))?.closure;
    if (!file.endsWith(".sol")) return reaching.has(file) ? 1 : 2;
    if (!closure?.has(mutant.source)) return 3;
    // The test of a library is compiled in a second, and is about nothing else.
    return closure.size <= UNIT_SIZE ? 0 : 2;
  };
  return baseline.files
    .map((file) => ({ file, rank: rank(file), seconds: baseline.seconds[file] ?? 0 }))
    .filter((test) => test.rank < 3)
    .sort((a, b) => a.rank - b.rank || a.seconds - b.seconds)
    .map(({ file }) => file);
}

/** Sources of a Solidity test that is about a library and not about a whole contract. */
const UNIT_SIZE = 8;
