import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { markdownTable } from "../../bench/results.ts";
import { rootDirectory } from "../stack/processes.ts";
import { escapeCell, replaceBlock } from "./replaceBlock.ts";

/** Returns the text of docs/indexer.md with the tables of the schema. */
export async function renderIndexerPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/indexer.md"), "utf8");
  const schema = await readFile(join(rootDirectory, "apps/indexer/ponder.schema.ts"), "utf8");
  return replaceBlock(page, "tables", renderTables(schema));
}

const tables = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export const \w+ = onchain(?:Table|View)\(\s*"(\w+)"/g;

function renderTables(schema: string): string {
  const rows = [...schema.matchAll(tables)].map(([, comment = "", name = ""]) => {
    const meaning = comment
      .replace(/^\s*\* ?/gm, "")
      .replace(/\s+/g, " ")
      .trim();
    if (!meaning) throw new Error(`The table ${name} has no comment`);
    return [`\`${name}\``, escapeCell(meaning)];
  });
  return markdownTable(["Table", "Rows"], rows);
}
