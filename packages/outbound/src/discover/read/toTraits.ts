import { InvalidTraitError, MAX_TRAITS, normalizeTrait } from "@app-registry/sdk";

/** Lists the traits of an API type and of a source's tags. Omits tags that are not valid traits. */
export function toTraits(first: readonly string[], tags: readonly string[]): string[] {
  const traits = new Set<string>();
  for (const tag of [...first, ...tags]) {
    if (traits.size >= MAX_TRAITS) break;
    try {
      traits.add(normalizeTrait(tag));
    } catch (error) {
      if (!(error instanceof InvalidTraitError)) throw error;
    }
  }
  return [...traits];
}
