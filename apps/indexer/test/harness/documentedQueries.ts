import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory } from "../../../../scripts/stack/processes.ts";

/** Returns the examples of docs/indexer.md in a language. */
export async function documentedQueries(language: "graphql" | "sql"): Promise<string[]> {
  const page = await readFile(join(rootDirectory, "docs/indexer.md"), "utf8");
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"));
  return [...blocks].map(([, text]) => (text as string).trim());
}
