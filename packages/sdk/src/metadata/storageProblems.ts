import { MAX_STORED_METADATA_SIZE } from "./limits.ts";
import type { Problem } from "./problem.ts";

/**
 * Returns the problem that prevents storing a publishable document on the chain: its size, in bytes of canonical text.
 */
export function storageProblems(size: number): Problem[] {
  if (size <= MAX_STORED_METADATA_SIZE) return [];
  const count = (bytes: number) => bytes.toLocaleString("en");
  const message = `The metadata has ${count(size)} bytes, but at most ${count(MAX_STORED_METADATA_SIZE)} can be stored on the chain. Host it at your own URL instead.`;
  return [{ pointer: "", code: "metadata-too-large", message }];
}
