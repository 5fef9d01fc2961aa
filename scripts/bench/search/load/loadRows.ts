import type { Column, Columns } from "./copyText.ts";
import { CHUNK, rowChunks } from "./rowChunks.ts";

/** A database with the tables that the indexer made, while the indexer is stopped. */
export interface LoadTarget {
  query(sql: string): Promise<{ rows: Record<string, unknown>[] }>;
  /** `COPY <table> (<columns>) FROM` a text. */
  copy(statement: string, text: string): Promise<void>;
}

/** The schema that the benchmark has Ponder make. */
export const SCHEMA = "app_registry";

const PROGRESS_EVERY = 50_000;

/** The tables that a record's events write to. */
const tables = ["app", "version", "document", "token_of_major", "trait"];

/** The table of which several records write the same row; only the first one counts. */
const SHARED = "trait";

async function readColumns({ query }: LoadTarget): Promise<Columns> {
  const { rows } = await query(`
    select table_name, column_name, data_type from information_schema.columns
    where table_schema = '${SCHEMA}' order by ordinal_position`);
  const columnsOf = (table: string): Column[] =>
    rows
      .filter(({ table_name }) => table_name === table)
      .map(({ column_name, data_type }) => ({ name: String(column_name), kind: String(data_type) }));
  return Object.fromEntries(tables.map((table) => [table, columnsOf(table)]));
}

/**
 * Fills the tables with the first `count` records. Their indexes are dropped, as a start of Ponder does, which makes
 * them again; triggers, which note what a reorganisation would undo, do not fire: these records are final.
 */
export async function loadRows(
  target: LoadTarget,
  count: number,
  onProgress: (done: string) => void,
): Promise<void> {
  const columns = await readColumns(target);
  const { rows: indexes } = await target.query(`
    select indexname from pg_indexes where schemaname = '${SCHEMA}' and tablename in ('${tables.join("','")}')
    and indexname not in (select conname from pg_constraint where contype = 'p')`);
  for (const { indexname } of indexes) await target.query(`drop index "${SCHEMA}"."${indexname}"`);
  await target.query("set session_replication_role = replica");
  let loaded = 0;
  const keepNew = newLines();
  for await (const texts of rowChunks(count, columns)) {
    for (const [table, text] of texts) {
      const names = (columns[table] ?? []).map(({ name }) => `"${name}"`).join(", ");
      await target.copy(
        `copy "${SCHEMA}"."${table}" (${names}) from`,
        table === SHARED ? keepNew(text) : text,
      );
    }
    loaded += CHUNK;
    if (loaded % PROGRESS_EVERY === 0 && loaded < count) onProgress(`${loaded} of ${count} records loaded`);
  }
}

/** Keeps the lines that it has not seen in an earlier text or line. */
function newLines(): (text: string) => string {
  const seen = new Set<string>();
  return (text) =>
    text.replace(/.+\n/g, (line) => {
      if (seen.has(line)) return "";
      seen.add(line);
      return line;
    });
}
