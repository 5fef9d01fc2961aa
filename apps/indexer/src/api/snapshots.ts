import { db } from "ponder:api";
import type { SnapshotManifest } from "@app-registry/sdk";
import { snapshotDaySchema } from "@app-registry/sdk/internal";
import { sql } from "ponder";
import { z } from "zod";
import { environment } from "../../environment.ts";
import { offchainSchema } from "../../offchain/tables.ts";
import { tablesExist } from "./search/sources.ts";

const schema = offchainSchema(environment.chainId);
const snapshot = sql.raw(`${schema}.snapshot`);
const snapshotPart = sql.raw(`${schema}.snapshot_part`);

/** Which snapshots are asked for, the newest first; `cursor` is the last day of the page before. */
export const snapshotsQuerySchema = z.strictObject({
  cursor: z.optional(snapshotDaySchema),
  limit: z
    .string()
    .regex(/^\d+$/, "must be a number")
    .transform(Number)
    .pipe(z.int().min(1).max(100))
    .default(30),
});

export const snapshotSchema = z.strictObject({ day: snapshotDaySchema });

/** A part of a day's file, from 0. */
export const snapshotPartSchema = z.strictObject({
  day: snapshotDaySchema,
  place: z
    .string()
    .regex(/^\d{1,6}$/, "must be a number")
    .transform(Number),
});

type Row = { day: string; manifest: SnapshotManifest };

/** The manifests of a page. */
export async function readSnapshots({ cursor, limit }: z.output<typeof snapshotsQuerySchema>) {
  if (!(await tablesExist())) return { snapshots: [], nextCursor: null };
  const before = cursor === undefined ? sql`` : sql`where day < ${cursor}`;
  const { rows } = await db.execute<Row>(
    sql`select day, manifest from ${snapshot} ${before} order by day desc limit ${limit + 1}::int`,
  );
  const page = rows.slice(0, limit);
  return {
    snapshots: page.map(({ manifest }) => manifest),
    nextCursor: rows.length > limit ? (page.at(-1)?.day ?? null) : null,
  };
}

/** The manifest of a day; undefined when no snapshot was taken. */
export async function readManifest(day: string): Promise<SnapshotManifest | undefined> {
  if (!(await tablesExist())) return undefined;
  const { rows } = await db.execute<Row>(sql`select day, manifest from ${snapshot} where day = ${day}`);
  return rows[0]?.manifest;
}

/** A part of a day's file; undefined behind its end, and when the file is no longer kept. */
export async function readPart(day: string, place: number): Promise<string | undefined> {
  if (!(await tablesExist())) return undefined;
  const { rows } = await db.execute<{ ndjson: string }>(sql`
    select ndjson from ${snapshot} join ${snapshotPart} using (day, attempt)
    where day = ${day} and place = ${place}::int`);
  return rows[0]?.ndjson;
}
