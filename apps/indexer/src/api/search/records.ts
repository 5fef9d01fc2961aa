import { db } from "ponder:api";
import { app } from "ponder:schema";
import {
  type DocumentMark,
  documentStateSchema,
  formatVersion,
  type LiveMark,
  provenBy,
  type SearchResult,
} from "@app-registry/sdk";
import { sql } from "ponder";
import { z } from "zod";
import type { Sql } from "../sql.ts";
import { checksummed } from "./checksummed.ts";
import { type Facts, factColumns, factsOf } from "./facts.ts";
import { changes, checks, labels, probes, tablesExist } from "./labels.ts";

/** Whether no higher major of the DID is Active. */
const isLatest = sql`not exists (
  select from ${app} higher
  where higher.did_hash = app.did_hash and higher.major > app.major and higher.status = 0)`;

/** Reads a column that the document of a record gives, wherever that is; the index has none of a document at a dataUrl. */
export type Labelled = (column: string) => Sql;

/**
 * Reads records of the index with what the worker knows of them, in no order. A reorganisation may have taken one away.
 *
 * @param columns Of `app`, and of `label`, `record`, `change` and `probe` when the worker has made its tables.
 */
export async function readRecords<Row extends Record<string, unknown>>(
  tokenIds: readonly string[],
  columns: (labelled: Labelled, hasTables: boolean) => Sql,
): Promise<(Row & Facts & { tokenId: string })[]> {
  if (tokenIds.length === 0) return [];
  const hasTables = await tablesExist();
  const labelled: Labelled = (column) =>
    sql.raw(hasTables ? `coalesce(label.${column}, app.${column})` : `app.${column}`);
  const known = sql`
    left join ${labels.table} on ${labels.isOfRecord} and app.pointer is null
    left join ${checks.table} on ${checks.isOfRecord} and record.data_url = app.data_url and app.pointer is null
    left join ${changes} on change.token_id = app.token_id
    left join ${probes.table} on ${probes.isOfRecord}`;
  const { rows } = await db.execute(sql`
    select app.token_id::text as "tokenId", ${factColumns(hasTables)}, ${columns(labelled, hasTables)}
    from ${app} ${hasTables ? known : sql``}
    where app.token_id = any (${`{${tokenIds.join()}}`}::numeric[])`);
  return rows as (Row & Facts & { tokenId: string })[];
}

type Row = Pick<
  typeof app.$inferSelect,
  | "did"
  | "major"
  | "minor"
  | "patch"
  | "owner"
  | "minter"
  | "status"
  | "interfaces"
  | "dataUrl"
  | "dataHash"
  | "dataHashAlgorithm"
  | "traits"
  | "traitHashes"
  | "name"
  | "description"
  | "publisher"
  | "image"
  | "endpoints"
  | "publishedAt"
  | "changedAt"
  | "changedBlock"
> & { latest: boolean; isOnChain: boolean } & Partial<{
    isLabelled: boolean;
    state: string | null;
    reason: string | null;
    checkedAt: number | null;
    probedAt: number;
    answeredAt: number | null;
  }>;

/** What a result shows; the columns that are only searched stay unread. */
const shown = (labelled: Labelled, hasTables: boolean): Sql => sql`
  app.did, app.major, app.minor, app.patch, app.owner, app.minter, app.status, app.interfaces,
  app.data_url as "dataUrl", app.data_hash as "dataHash", app.data_hash_algorithm as "dataHashAlgorithm",
  app.trait_hashes as "traitHashes", app.published_at::float8 as "publishedAt",
  app.changed_block::float8 as "changedBlock", app.pointer is not null as "isOnChain", ${isLatest} as latest,
  ${sql.join(
    ["name", "description", "publisher", "image", "endpoints", "traits"].map(
      (column) => sql`${labelled(column)} as ${sql.raw(column)}`,
    ),
    sql`, `,
  )},
  ${
    hasTables
      ? sql`greatest(app.changed_at, change.changed_at)::float8 as "changedAt", label.token_id is not null as "isLabelled",
        record.state, record.reason, floor(record.checked_at) as "checkedAt",
        floor(probe.probed_at) as "probedAt", floor(probe.answered_at) as "answeredAt"`
      : sql`app.changed_at::float8 as "changedAt"`
  }`;

/** The results of a page, in its order. */
export async function resultsOf(tokenIds: readonly string[]): Promise<SearchResult[]> {
  const rows = await readRecords<Row>(tokenIds, shown);
  const results = new Map(rows.map((row) => [row.tokenId, toResult(row)]));
  return tokenIds.flatMap((tokenId) => results.get(tokenId) ?? []);
}

function toResult(row: Row & Facts & { tokenId: string }): SearchResult {
  const { name, description, publisher, image } = row;
  const document = markOf(row);
  return {
    did: row.did,
    proven: provenBy(row.did),
    major: row.major,
    version: formatVersion(row),
    tokenId: row.tokenId,
    owner: checksummed(row.owner),
    minter: checksummed(row.minter),
    status: row.status as SearchResult["status"],
    interfaces: row.interfaces,
    dataUrl: row.dataUrl,
    dataHash: row.dataHash,
    dataHashAlgorithm: row.dataHashAlgorithm as SearchResult["dataHashAlgorithm"],
    traits: row.traits,
    traitHashes: row.traitHashes,
    ...(name !== null && { name }),
    ...(description !== null && { description }),
    ...(publisher !== null && { publisher }),
    ...(image !== null && { image }),
    endpoints: row.endpoints,
    latest: row.latest,
    updatedAt: row.publishedAt,
    changedAt: row.changedAt,
    changedBlock: row.changedBlock,
    document,
    ...(row.outcome && { live: liveMarkOf(row) }),
    facts: factsOf(row, row.isOnChain ? "chain" : document.state),
  };
}

/** Where the labels of a record come from, and what is known of its dataUrl. */
function markOf({ isOnChain, isLabelled, state, reason, checkedAt }: Row): DocumentMark {
  if (isOnChain) return { source: "chain" };
  if (isLabelled === undefined) return { source: null };
  return {
    source: isLabelled ? "dataUrl" : null,
    state: z.catch(documentStateSchema, "pending").parse(state),
    ...(reason && { reason }),
    ...(typeof checkedAt === "number" && { checkedAt }),
  };
}

const liveMarkOf = ({ outcome, drift, probedAt, answeredAt }: Row & Facts) =>
  ({ outcome, drift, probedAt, answeredAt }) as LiveMark;
