import { traitHash } from "@app-registry/sdk";
import type { Hex } from "viem";
import { Random } from "./random.ts";
import { FIRST_CONTENT_RANK, words } from "./vocabulary.ts";
import { Zipf } from "./zipf.ts";

const TRAITS = 2_000;

const prefixes = ["", "", "", "topic:", "region:", "pay:", "data:"];

/** The free traits, from the commonest on, each with the hash that records carry. */
const traits = (() => {
  const random = new Random(2);
  return Array.from(
    { length: TRAITS },
    (_, rank) => `${random.pick(prefixes)}${words[FIRST_CONTENT_RANK + rank]}`,
  );
})();

const hashes = new Map<string, Hex>();

/** The trait's hash, computed once. */
export function hashOfTrait(trait: string): Hex {
  let hash = hashes.get(trait);
  if (!hash) {
    hash = traitHash(trait);
    hashes.set(trait, hash);
  }
  return hash;
}

const frequency = new Zipf(TRAITS);

/** `count` different free traits. */
export function drawTraits(random: Random, count: number): string[] {
  const drawn = new Set<string>();
  while (drawn.size < count) drawn.add(traits[frequency.draw(random)] ?? "");
  return [...drawn];
}
