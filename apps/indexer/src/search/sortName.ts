import { fold } from "@app-registry/sdk/internal";

/** A name as records are ordered and compared by it. */
export function sortName(name: string): string {
  // Folding can lengthen a text many times; a B-tree key has at most 2,704 bytes.
  return fold(name).slice(0, 200).toWellFormed();
}
