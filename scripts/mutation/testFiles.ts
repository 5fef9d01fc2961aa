import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory } from "../stack/processes.ts";

/** What test files share: fixtures, and helpers of the Solidity tests. */
export function helperFiles(): string[] {
  return globSync("test/**/*.{ts,sol}", { cwd: rootDirectory })
    .filter((file) => !/\.(test\.ts|t\.sol)$/.test(file))
    .sort();
}

/** Hash of the content of files. */
export async function hashFiles(files: string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files) {
    hash.update(`${file}\0${await readFile(join(rootDirectory, file), "utf8").catch(() => "")}\0`);
  }
  return hash.digest("hex").slice(0, 16);
}
