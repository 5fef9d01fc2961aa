import { foldWord } from "@app-registry/sdk/internal";

/** Converts a name to the key by which records are sorted and compared. */
export function toSortName(name: string): string {
  // Folding can lengthen a text many times; a B-tree key has at most 2,704 bytes.
  return foldWord(name).slice(0, 200).toWellFormed();
}
