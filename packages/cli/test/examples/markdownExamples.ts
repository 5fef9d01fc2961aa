import { readFile } from "node:fs/promises";
import { marked } from "marked";
import type { Example } from "./extractExamples.ts";

const root = new URL("../../../../", import.meta.url);

/** Reads the TypeScript blocks of a Markdown file of the repository. Their names are the headings above them. */
export async function markdownExamples(path: string): Promise<Example[]> {
  const examples: Example[] = [];
  let heading = path;
  for (const token of marked.lexer(await readFile(new URL(path, root), "utf8"))) {
    if (token.type === "heading") heading = `${path}: ${token.text}`;
    if (token.type !== "code" || token.lang !== "ts") continue;
    const count = examples.filter(({ name }) => name.startsWith(heading)).length;
    examples.push({ name: count === 0 ? heading : `${heading} (${count + 1})`, code: token.text });
  }
  return examples;
}
