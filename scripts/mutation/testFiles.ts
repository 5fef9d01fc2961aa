import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import ts from "typescript";
import { rootDirectory } from "../stack/processes.ts";
import { isLeftOut } from "./leftOut.ts";

/** The behaviour tests: all but those that are about the deployed code's size and price, or that take too long. */
export function findTestFiles(): string[] {
  return globSync(["test/**/*.test.ts", "test/solidity/**/*.t.sol"], { cwd: rootDirectory })
    .filter((file) => !isLeftOut(file))
    .sort();
}

/** Hash of a test file in TypeScript and of what it imports of the repository's own; of another file, of it alone. */
export async function hashTestFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  const files = new Set([file]);
  // A set that grows while it is walked is walked to its end.
  for (const name of files) {
    const text = await readFile(join(rootDirectory, name), "utf8").catch(() => "");
    hash.update(`${name}\0${text}\0`);
    if (!name.endsWith(".ts")) continue;
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      const isOwn = fileName.startsWith(".") && !fileName.includes("/generated/");
      if (isOwn) files.add(posix.join(posix.dirname(name), fileName));
    }
  }
  return hash.digest("hex").slice(0, 16);
}
