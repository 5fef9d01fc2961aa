import { foldWord } from "@app-registry/sdk/internal";

/** A name as records are ordered and compared by it. */
export function toSortName(name: string): string {
  // Folding can lengthen a text many times; a B-tree key has at most 2,704 bytes.
  return foldWord(name).slice(0, 200).toWellFormed();
}
