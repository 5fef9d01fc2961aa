import { db } from "ponder:api";
import { app, document } from "ponder:schema";
import { formatVersion, type SearchResult } from "@app-registry/sdk";
import { and, eq, inArray, sql } from "ponder";
import { type AtDataUrl, atDataUrls } from "./atDataUrls.ts";
import { checksummed } from "./checksummed.ts";

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
  endpoints: app.endpoints,
  latest: sql<boolean>`not exists (
    select from ${app} higher
    where higher.did_hash = app.did_hash and higher.major > app.major and higher.status = 0)`,
  publishedAt: app.publishedAt,
  changedAt: app.changedAt,
  changedBlock: app.changedBlock,
  /** Of its JSON on the chain; null when there is none. */
  pointer: document.pointer,
};

type Row = Pick<typeof app.$inferSelect, Exclude<keyof typeof columns, "pointer" | "latest">> & {
  latest: boolean;
  pointer: string | null;
};

/** The records of a page with their labels, in the order of the token ids. */
export async function recordsOf(tokenIds: readonly bigint[]): Promise<SearchResult[]> {
  if (tokenIds.length === 0) return [];
  const rows = await db
    .select(columns)
    .from(app)
    .leftJoin(document, and(eq(document.didHash, app.didHash), eq(document.dataHash, app.dataHash)))
    .where(inArray(app.tokenId, [...tokenIds]));
  const offchain = await atDataUrls(rows.filter(({ pointer }) => pointer === null));
  const byId = new Map(rows.map((row) => [row.tokenId, row]));
  // A reorganisation may take a record away between the two queries.
  return tokenIds.flatMap((tokenId) => {
    const row = byId.get(tokenId);
    return row ? [toResult(row, offchain.get(tokenId))] : [];
  });
}

function toResult(row: Row, atDataUrl: AtDataUrl | undefined): SearchResult {
  const { name, description, publisher, image, endpoints, traits } = atDataUrl?.labels ?? row;
  return {
    did: row.did,
    major: row.major,
    version: formatVersion(row),
    tokenId: row.tokenId.toString(),
    owner: checksummed(row.owner),
    minter: checksummed(row.minter),
    status: row.status as SearchResult["status"],
    interfaces: row.interfaces,
    dataUrl: row.dataUrl,
    dataHash: row.dataHash,
    dataHashAlgorithm: row.dataHashAlgorithm as SearchResult["dataHashAlgorithm"],
    traits,
    traitHashes: row.traitHashes,
    ...(name !== null && { name }),
    ...(description !== null && { description }),
    ...(publisher !== null && { publisher }),
    ...(image !== null && { image }),
    endpoints,
    latest: row.latest,
    updatedAt: row.publishedAt,
    changedAt: row.changedAt,
    changedBlock: row.changedBlock,
    document: atDataUrl?.mark ?? { source: row.pointer === null ? null : "chain" },
  };
}
