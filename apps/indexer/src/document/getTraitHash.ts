import { traitHash } from "@app-registry/sdk";
import { LRUCache } from "lru-cache";
import type { Hex } from "viem";

/** The hashes of the traits that were hashed last: few strings make up most of all traits. */
const traitHashCache = new LRUCache<string, { hash: Hex | undefined }>({
  max: 10_000,
  memoMethod: (trait) => ({ hash: computeHash(trait) }),
});

function computeHash(trait: string): Hex | undefined {
  try {
    return traitHash(trait);
  } catch {
    return undefined;
  }
}

/** The hash of a trait string, or undefined when it is no trait. */
export const getTraitHash = (trait: string): Hex | undefined => traitHashCache.memo(trait).hash;
