import { readFile } from "node:fs/promises";

/** Reads a file of the vectors that the sdk and the contracts share. */
export async function readVectors<Vectors>(name: string): Promise<Vectors> {
  const url = new URL(`../../packages/sdk/test/vectors/${name}.json`, import.meta.url);
  return JSON.parse(await readFile(url, "utf8"));
}
