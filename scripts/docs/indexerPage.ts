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
const columns = /(?:^ +\/\*\* (.*) \*\/\n)?^ {2,4}(\w+): (?:t\.)?(\w+)\((.*),$/gm;

function renderTables(schema: string): string {
  return [...schema.matchAll(tables)]
    .map(([, comment = "", name = "", body = ""]) => {
      const rows = [...body.matchAll(columns)]
        .filter(([, , , type = ""]) => type !== "index" && type !== "primaryKey")
        .map(([, text = "", column = "", type = "", rest = ""]) => [
          `\`${toSnakeCase(column)}\``,
          `${type === "int8" ? "bigint" : type}${rest.includes(".array()") ? "[]" : ""}`,
          escapeCell(text),
        ]);
      const meaning = comment
        .replace(/^\s*\* ?/gm, "")
        .replace(/\s+/g, " ")
        .trim();
      return `### ${name}\n\n${meaning}\n\n${markdownTable(["Column", "Type", "Meaning"], rows)}`;
    })
    .join("\n\n");
}

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
