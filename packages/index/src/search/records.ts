import { type DocumentState, formatVersion, getProvenSubject, type SearchResult } from "@app-registry/sdk";
import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { checksumAddress } from "viem";
import type { DetailLabels } from "../document/parseDocument.ts";
import { prepareRows, type Session, type Sql } from "../session.ts";
import { app } from "../tables.ts";
import { changes, checks, type Facts, factColumns, labels, probes, toFactOutcomes } from "./filters.ts";

type Read<Row> = Row & { tokenId: string };

/**
 * Creates a function that reads records by token id, in no particular order. Records that a reorganization removed are
 * missing.
 *
 * @param columns Columns of `app` and, if they exist, of the worker's tables. `labelled` returns a column of the
 *   document that labels a record, on the chain or at its dataUrl
 */
export function createRecordReader<Row>(
  name: string,
  columns: (labelled: (column: string) => Sql, hasTables: boolean) => Record<string, Sql>,
): (session: Session, tokenIds: readonly string[]) => Promise<Read<Row>[]> {
  const prepare = (hasTables: boolean) => {
    const tables = [labels, checks, changes, probes].map(
      (one) => sql`left join ${one.table} on ${one.isOfRecord}`,
    );
    const labelled = (column: string) =>
      sql.raw(hasTables ? `coalesce(label.${column}, app.${column})` : `app.${column}`);
    const all = { tokenId: sql`app.token_id::text`, ...columns(labelled, hasTables) };
    const selected = Object.entries(all).map(([column, value]) => sql`${value} as ${sql.identifier(column)}`);
    const found = sql`select ${sql.join(selected, sql`, `)} from ${app} ${hasTables ? sql.join(tables, sql` `) : sql``}
      where app.token_id = any (${sql.placeholder("tokenIds")}::numeric[])`;
    return prepareRows<Read<Row>>(found, `${name} ${hasTables}`);
  };
  const prepared = new LRUCache({ max: 2, memoMethod: prepare });
  return async (session, tokenIds) => {
    if (tokenIds.length === 0) return [];
    const read = prepared.memo(session.hasWorkerTables);
    return read(session, { tokenIds: `{${tokenIds.join()}}` });
  };
}

const recordColumns =
  "did major minor patch status interfaces owner minter data_url data_hash data_hash_algorithm trait_hashes";
const documentColumns = ["name", "description", "publisher", "image", "endpoints", "details", "traits"];

type Row = Omit<SearchResult, "proven" | "version" | "document" | "live" | "facts"> &
  Record<"minor" | "patch", number> & {
    details: DetailLabels;
    isOnChain: boolean;
    isLabelled?: boolean;
    state?: DocumentState;
  } & {
    [Known in "reason" | "checkedAt" | "probedAt" | "answeredAt"]?: unknown;
  } & Facts;

const camelCase = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Reads the columns of results, without those used only for matching. The worker's times become whole Unix seconds. */
const readResultRows = createRecordReader<Row>("search results", (labelled, hasTables) => ({
  ...factColumns(labelled, hasTables),
  ...Object.fromEntries(
    recordColumns.split(" ").map((column) => [camelCase(column), sql.raw(`app.${column}`)]),
  ),
  ...Object.fromEntries(documentColumns.map((column) => [column, labelled(column)])),
  updatedAt: sql`app.published_at::float8`,
  changedAt: sql.raw(
    hasTables ? `greatest(app.changed_at, change.changed_at)::float8` : `app.changed_at::float8`,
  ),
  changedBlock: sql`app.changed_block::float8`,
  isOnChain: sql`app.pointer is not null`,
  latest: sql`not exists (
    select from ${app} higher where higher.did_hash = app.did_hash and higher.major > app.major and higher.status = 0)`,
  ...(hasTables && {
    isLabelled: sql`label.token_id is not null`,
    state: sql`coalesce(record.state, 'pending')`,
    reason: sql`record.reason`,
    checkedAt: sql`floor(record.checked_at)`,
    probedAt: sql`floor(probe.probed_at)`,
    answeredAt: sql`floor(probe.answered_at)`,
  }),
}));

/** Returns the results of a page in the order of `tokenIds`. */
export async function readResults(session: Session, tokenIds: readonly string[]): Promise<SearchResult[]> {
  const results = new Map(
    (await readResultRows(session, tokenIds)).map((row) => [row.tokenId, toResult(row)]),
  );
  return tokenIds.flatMap((tokenId) => results.get(tokenId) ?? []);
}

function toResult({
  minor,
  patch,
  control,
  attestedUntil,
  origin,
  outcome = null,
  drift = null,
  ...read
}: Read<Row>) {
  const { details, isOnChain, isLabelled, state, reason, checkedAt, probedAt, answeredAt, ...row } = read;
  const source = isOnChain ? "chain" : isLabelled ? "dataUrl" : null;
  return withoutNulls({
    ...row,
    ...details,
    proven: getProvenSubject(row.did),
    version: formatVersion({ major: row.major, minor, patch }),
    owner: checksumAddress(row.owner),
    minter: checksumAddress(row.minter),
    document: { source, ...(!isOnChain && withoutNulls({ state, reason, checkedAt })) },
    live: outcome && { outcome, drift, probedAt, answeredAt },
    facts: toFactOutcomes({ control, attestedUntil, origin, outcome, drift }, isOnChain ? "chain" : state),
  }) as SearchResult;
}

const withoutNulls = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
