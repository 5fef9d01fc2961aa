import { db } from "ponder:api";
import { app } from "ponder:schema";
import { formatVersion, provenBy, type SearchResult } from "@app-registry/sdk";
import { inArray } from "ponder";
import { type AtDataUrl, atDataUrls } from "./atDataUrls.ts";
import { checksummed } from "./checksummed.ts";
import { factsOf } from "./facts.ts";
import type { MetRecord } from "./pageInOrder.ts";
import { recordState } from "./recordState.ts";
import { resultCache } from "./resultCache.ts";

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
  publishedAt: app.publishedAt,
  changedAt: app.changedAt,
  changedBlock: app.changedBlock,
  pointer: app.pointer,
  state: recordState,
};

type Row = Pick<typeof app.$inferSelect, Exclude<keyof typeof columns, "state">> & {
  state: string;
};

const cache = resultCache(32 * 1024 * 1024);

/**
 * The results of a page as JSON texts, in its order. Each record is read and rendered once for each of its states, as
 * long as the cache has room.
 */
export async function resultsOf(records: readonly MetRecord[]): Promise<string[]> {
  const results = new Map<string, string>();
  const unknown: string[] = [];
  for (const { tokenId, state } of records) {
    const cached = cache.get(tokenId);
    if (cached?.state === state) results.set(tokenId, cached.json);
    else unknown.push(tokenId);
  }
  if (unknown.length > 0) await render(unknown, (tokenId, json) => results.set(tokenId, json));
  // A reorganisation may take a record away before it is read.
  return records.flatMap(({ tokenId }) => results.get(tokenId) ?? []);
}

async function render(
  tokenIds: readonly string[],
  onResult: (tokenId: string, json: string) => void,
): Promise<void> {
  const rows: Row[] = await db
    .select(columns)
    .from(app)
    .where(inArray(app.tokenId, tokenIds.map(BigInt)));
  const offchain = await atDataUrls(rows.filter(({ pointer }) => pointer === null));
  for (const row of rows) {
    const tokenId = row.tokenId.toString();
    const json = JSON.stringify(toResult(row, offchain.get(row.tokenId)));
    // What is known of a document at a dataUrl changes without the row.
    if (row.pointer !== null) cache.set(tokenId, { state: row.state, json });
    onResult(tokenId, json);
  }
}

function toResult(row: Row, atDataUrl: AtDataUrl | undefined): SearchResult {
  const { name, description, publisher, image, endpoints, traits } = atDataUrl?.labels ?? row;
  const { latest, facts } = factsOf(row.state, row.pointer === null ? atDataUrl?.mark.state : "chain");
  return {
    did: row.did,
    proven: provenBy(row.did),
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
    latest,
    updatedAt: row.publishedAt,
    changedAt: Math.max(row.changedAt, atDataUrl?.changedAt ?? 0),
    changedBlock: row.changedBlock,
    document: atDataUrl?.mark ?? { source: row.pointer === null ? null : "chain" },
    facts,
  };
}
