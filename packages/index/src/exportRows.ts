import { asc, getTableColumns, sql } from "drizzle-orm";
import { getTableConfig, type PgColumn, type PgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import { InvalidCursorError } from "./search/search.ts";
import type { Session } from "./session.ts";
import {
  app,
  block,
  challenge,
  dataHashAttestation,
  didAttestation,
  document,
  issuer,
  reclaim,
  resolverLimit,
  trait,
  version,
} from "./tables.ts";

/** Columns of `app` that only search reads. */
export const searchColumns: ReadonlySet<string> = new Set([
  ...[
    "sortName",
    "nameFolded",
    "nameSkeleton",
    "site",
    "unproven",
    "words",
    "searchVector",
    "addresses",
    "outsideHosts",
  ],
]);

/** Public tables by their names in paths. */
const tables = {
  apps: app,
  versions: version,
  documents: document,
  traits: trait,
  "did-attestations": didAttestation,
  "data-hash-attestations": dataHashAttestation,
  blocks: block,
  challenges: challenge,
  reclaims: reclaim,
  issuers: issuer,
  "resolver-limits": resolverLimit,
} as const satisfies Record<string, PgTable>;

/** Cursor: the key columns' values as base64url. `parseCursorBounds` checks that they fit the table. */
const cursorSchema = z
  .base64url()
  .max(2_000)
  .transform((text) => Buffer.from(text, "base64url").toString().split(" "));

/** Query of a table's rows in key order. */
export const exportQuerySchema = z.strictObject({
  table: z.string(),
  cursor: cursorSchema.optional(),
  limit: z
    .string()
    .regex(/^\d+$/, "must be a number")
    .transform(Number)
    .pipe(z.int().min(1).max(1_000))
    .default(1_000),
});

/** Returns the properties of a table's primary key, in the order of the key. */
function getPrimaryKey(table: PgTable): string[] {
  const { primaryKeys, columns } = getTableConfig(table);
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  const names = Object.entries(getTableColumns(table));
  return key.map(({ name }) => names.find(([, column]) => column.name === name)?.[0] as string);
}

/** Most digits of a number, by column type. */
const DIGITS: Record<string, number> = { integer: 9, bigint: 15, "numeric(78)": 78 };

/** Returns a cursor's values in SQL, or `undefined` if the cursor belongs to another table. */
function parseCursorBounds(cursor: readonly string[], key: readonly PgColumn[]) {
  const types = key.map((column) => column.getSQLType());
  const isOfTable = types.every((type, at) => {
    const digits = DIGITS[type];
    return digits === undefined || (/^\d+$/.test(cursor[at] ?? "") && (cursor[at] ?? "").length <= digits);
  });
  if (cursor.length !== key.length || !isOfTable || cursor.some((text) => text.includes("\0")))
    return undefined;
  return sql`(${sql.join(
    cursor.map((text, at) => sql`${text}::${sql.raw(types[at] ?? "text")}`),
    sql`, `,
  )})`;
}

/** Converts a value to JSON, with 256-bit numbers as strings. */
const write = (value: unknown) =>
  JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part));

/**
 * Reads a page of a table's rows as NDJSON, in key order. `nextCursor` is null on the last page.
 *
 * @returns `undefined` if the table does not exist.
 * @throws {InvalidCursorError} The cursor belongs to another table.
 */
export async function exportRows(
  session: Session,
  { table: name, cursor, limit }: z.output<typeof exportQuerySchema>,
): Promise<{ ndjson: string; nextCursor: string | null } | undefined> {
  if (!Object.hasOwn(tables, name)) return undefined;
  const table: PgTable = tables[name as keyof typeof tables];
  const columns = getTableColumns(table);
  const shown = Object.fromEntries(
    Object.entries(columns).filter(([property]) => !searchColumns.has(property)),
  );
  const key = getPrimaryKey(table);
  const keyColumns = key.map((property) => columns[property] as PgColumn);
  const bounds = cursor && parseCursorBounds(cursor, keyColumns);
  if (cursor && !bounds) throw new InvalidCursorError("is not a cursor of this table");
  const rows = await session.db
    .select(shown)
    .from(table)
    .where(bounds && sql`(${sql.join(keyColumns, sql`, `)}) > ${bounds}`)
    .orderBy(...keyColumns.map((column) => asc(column)))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    ndjson: page.map((row) => `${write(row)}\n`).join(""),
    nextCursor: last
      ? Buffer.from(key.map((property) => last[property]).join(" ")).toString("base64url")
      : null,
  };
}
