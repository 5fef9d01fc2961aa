import { InvalidTraitError, MAX_TRAITS, normalizeTrait } from "@app-registry/sdk";

/** The traits of an API type and of what a source calls its tags; a tag that is no trait is left out. */
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
