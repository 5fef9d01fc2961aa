import { db } from "ponder:api";
import { app } from "ponder:schema";
import { formatVersion, type SearchResult } from "@app-registry/sdk";
import { inArray } from "ponder";
import { getAddress } from "viem";

/** What a result shows; the columns that are only searched stay unread. */
const columns = {
  tokenId: app.tokenId,
  did: app.did,
  major: app.major,
  minor: app.minor,
  patch: app.patch,
  owner: app.owner,
  minter: app.minter,
  status: app.status,
  interfaces: app.interfaces,
  dataUrl: app.dataUrl,
  dataHash: app.dataHash,
  dataHashAlgorithm: app.dataHashAlgorithm,
  traits: app.traits,
  traitHashes: app.traitHashes,
  name: app.name,
  description: app.description,
  publisher: app.publisher,
  image: app.image,
  publishedAt: app.publishedAt,
  changedAt: app.changedAt,
  changedBlock: app.changedBlock,
};

type Row = Pick<typeof app.$inferSelect, keyof typeof columns>;

/** The records of a page with their labels, in the order of the token ids. */
export async function recordsOf(tokenIds: readonly bigint[]): Promise<SearchResult[]> {
  if (tokenIds.length === 0) return [];
  const rows = await db
    .select(columns)
    .from(app)
    .where(inArray(app.tokenId, [...tokenIds]));
  const byId = new Map(rows.map((row) => [row.tokenId, row]));
  // A reorganisation may take a record away between the two queries.
  return tokenIds.flatMap((tokenId) => {
    const row = byId.get(tokenId);
    return row ? [toResult(row)] : [];
  });
}

function toResult(row: Row): SearchResult {
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
    changedAt: row.changedAt,
    changedBlock: row.changedBlock,
  };
}
