import { db } from "ponder:api";
import { app } from "ponder:schema";
import { type DocumentMark, documentStateSchema } from "@app-registry/sdk";
import { sql } from "ponder";
import { z } from "zod";
import { changes, checks, labels, tablesExist } from "./labels.ts";

/** What the worker knows of a record whose JSON is only at its dataUrl. */
export type AtDataUrl = {
  mark: DocumentMark;
  /** Out of the document that hashes to the record; undefined while none was served. */
  labels: Labels | undefined;
  /** When the labels or the state of the document changed last, Unix seconds; 0 when they never did. */
  changedAt: number;
};

type Labels = Pick<
  typeof app.$inferSelect,
  "name" | "description" | "publisher" | "image" | "endpoints" | "traits"
>;

type Row = Labels & {
  token_id: string;
  labelled: boolean;
  state: string | null;
  reason: string | null;
  checked_at: number | null;
  changed_at: number;
};

/** What is known of the documents of records by token id; of none while no worker ever ran. */
export async function atDataUrls(records: readonly { tokenId: bigint }[]): Promise<Map<bigint, AtDataUrl>> {
  if (records.length === 0 || !(await tablesExist())) return new Map();
  const tokenIds = sql.join(
    records.map(({ tokenId }) => sql`${tokenId.toString()}::numeric`),
    sql`, `,
  );
  const { rows } = await db.execute<Row>(sql`
    select ${app.tokenId}::text as token_id, label.token_id is not null as labelled, label.name, label.description,
      label.publisher, label.image, label.endpoints, label.traits, record.state, record.reason, record.checked_at,
      coalesce(change.changed_at, 0)::float8 as changed_at
    from ${app}
    left join ${labels.table} on ${labels.isOfRecord}
    left join ${checks.table} on ${checks.isOfRecord} and record.data_url = ${app.dataUrl}
    left join ${changes} on change.token_id = ${app.tokenId}
    where ${app.tokenId} in (${tokenIds})`);
  return new Map(rows.map((row) => [BigInt(row.token_id), toAtDataUrl(row)]));
}

function toAtDataUrl({ labelled, state, reason, checked_at, changed_at, ...row }: Row): AtDataUrl {
  return {
    labels: labelled ? row : undefined,
    changedAt: changed_at,
    mark: {
      source: labelled ? "dataUrl" : null,
      state: z.catch(documentStateSchema, "pending").parse(state),
      ...(reason !== null && { reason }),
      ...(checked_at !== null && { checkedAt: Math.floor(checked_at) }),
    },
  };
}
