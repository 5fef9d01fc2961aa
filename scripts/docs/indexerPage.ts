import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { markdownTable } from "../../bench/results.ts";
import { rootDirectory } from "../stack/processes.ts";
import { escapeCell, replaceBlock } from "./replaceBlock.ts";

/** Returns the text of docs/indexer.md with the tables and columns of the schema. */
export async function renderIndexerPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/indexer.md"), "utf8");
  const schema = await readFile(join(rootDirectory, "apps/indexer/ponder.schema.ts"), "utf8");
  return replaceBlock(page, "tables", renderTables(schema));
}

const tables =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const \w+ = onchain(?:Table|View)\(\s*"(\w+)",([\s\S]*?)\n(?:\);|\}\)\);|\}\)\.as)/g;
const columns = /^ {2,4}(\w+): (?:t\.)?(\w+)\(.*,$/gm;

function renderTables(schema: string): string {
  const rows = [...schema.matchAll(tables)].map(([, comment = "", name = "", body = ""]) => {
    const names = [...body.matchAll(columns)]
      .filter(([, , type = ""]) => type !== "index" && type !== "primaryKey")
      .map(([, column = ""]) => `\`${toSnakeCase(column)}\``);
    const meaning = comment
      .replace(/^\s*\* ?/gm, "")
      .replace(/\s+/g, " ")
      .trim();
    if (!meaning || names.length === 0) throw new Error(`The table ${name} has no comment or no columns`);
    return [`\`${name}\``, escapeCell(meaning), names.join(", ")];
  });
  return markdownTable(["Table", "Rows", "Columns"], rows);
}

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
