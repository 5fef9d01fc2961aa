import type { Row } from "./rowStore.ts";

/** A column of a table in the database; `kind` is its `data_type` of the information schema. */
export interface Column {
  name: string;
  kind: string;
}

/** The columns of each table that rows go to. */
export type Columns = Record<string, readonly Column[]>;

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
const escaped = (text: string) => text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);

const arrayLiteral = (items: readonly unknown[]) =>
  `{${items.map((item) => `"${String(item).replace(/["\\]/g, (character) => `\\${character}`)}"`).join(",")}}`;

function field(value: unknown, kind: string): string {
  if (value === null || value === undefined) return "\\N";
  if (kind === "jsonb") return escaped(JSON.stringify(value));
  if (Array.isArray(value)) return escaped(arrayLiteral(value));
  return escaped(String(value));
}

/**
 * A row as a line of PostgreSQL's COPY text format.
 * @throws For a value that the table has no column for.
 */
export function copyLine(row: Row, columns: readonly Column[]): string {
  let known = 0;
  const fields = columns.map(({ name, kind }) => {
    const key = camelCase(name);
    if (key in row) known++;
    return field(row[key], kind);
  });
  if (known !== Object.keys(row).length) {
    throw new Error(`A row has values without a column: ${Object.keys(row).join(", ")}`);
  }
  return `${fields.join("\t")}\n`;
}
