import { db } from "ponder:api";
import { app } from "ponder:schema";
import {
  didHash,
  formatVersion,
  type SearchPage,
  type SearchQuery,
  type SearchResult,
  traitHash,
} from "@app-registry/sdk";
import { and, eq, sql } from "ponder";
import { getAddress } from "viem";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { orderOf } from "./order.ts";
import { type Relevance, relevance } from "./relevance.ts";
import type { Sql } from "./sql.ts";

/** The cursor is not one of this search. */
export class InvalidCursorError extends Error {
  override readonly name = "InvalidCursorError";
}

/** The filters of a search, every one an AND. */
function conditions(query: SearchQuery, text: Relevance | undefined): (Sql | undefined)[] {
  const hashes = sql`array[${sql.join(
    (query.traits ?? []).map((trait) => sql`${traitHash(trait)}`),
    sql`, `,
  )}]::text[]`;
  return [
    query.status === "any" ? undefined : eq(app.status, query.status),
    query.traits?.length
      ? query.match === "any"
        ? sql`${app.traitHashes} && ${hashes}`
        : sql`${app.traitHashes} @> ${hashes}`
      : undefined,
    query.interface ? sql`${app.interfaces} & ${query.interface}::int = ${query.interface}::int` : undefined,
    query.owner ? eq(app.owner, query.owner) : undefined,
    query.did ? eq(app.didHash, didHash(query.did)) : undefined,
    query.minVersion
      ? sql`(${app.major}, ${app.minor}, ${app.patch}) >= (${query.minVersion.major}::int, ${query.minVersion.minor}::int, ${query.minVersion.patch}::int)`
      : undefined,
    text?.matches,
  ];
}

function toResult(row: typeof app.$inferSelect): SearchResult {
  return {
    did: row.did,
    major: row.major,
    version: formatVersion(row),
    tokenId: row.tokenId.toString(),
    owner: getAddress(row.owner),
    minter: getAddress(row.minter),
    status: row.status as SearchResult["status"],
    interfaces: row.interfaces,
    dataUrl: row.dataUrl,
    dataHash: row.dataHash,
    dataHashAlgorithm: row.dataHashAlgorithm as SearchResult["dataHashAlgorithm"],
    traits: row.traits,
    traitHashes: row.traitHashes,
    ...(row.name !== null && { name: row.name }),
    ...(row.description !== null && { description: row.description }),
    ...(row.publisher !== null && { publisher: row.publisher }),
    ...(row.image !== null && { image: row.image }),
    updatedAt: row.publishedAt,
  };
}

/**
 * One page of the records that a search finds. Paging by keyset: a record whose place in the order does not change
 * between two pages is neither lost nor repeated, whatever else comes or goes.
 *
 * @throws {InvalidCursorError}
 */
export async function search(query: SearchQuery): Promise<Pick<SearchPage, "results" | "nextCursor">> {
  const text = query.q === undefined ? undefined : relevance(query.q);
  const order = orderOf(query, text);
  let after: Sql | undefined;
  if (query.cursor !== undefined) {
    const position = decodeCursor({ ...query, cursor: query.cursor });
    after = position && order.after(position);
    if (!after) throw new InvalidCursorError("This is not a cursor of this search.");
  }
  const rows = await db
    .select({ row: app, value: order.value ?? sql<null>`null` })
    .from(app)
    .where(and(...conditions(query, text), after))
    .orderBy(...order.orderBy)
    .limit(query.limit + 1);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    results: page.map(({ row }) => toResult(row)),
    nextCursor:
      rows.length > query.limit && last
        ? encodeCursor(query, { value: last.value, tokenId: last.row.tokenId })
        : null,
  };
}
