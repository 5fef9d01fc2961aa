import { traitHash } from "@app-registry/sdk";
import { LRUCache } from "lru-cache";
import type { Hex } from "viem";

/** Cache of trait hashes. A few strings make up most traits. */
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

/** Returns the hash of a trait string, or `undefined` if it is not a valid trait. */
export const getTraitHash = (trait: string): Hex | undefined => traitHashCache.memo(trait).hash;
