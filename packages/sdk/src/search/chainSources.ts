import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import type { Listing, Page } from "../client/listing.ts";
import { undefinedIfNotRegistered } from "../client/notRegistered.ts";
import type { AppStatus, AppSummary } from "../client/records.ts";
import type { CanonicalDid } from "../did.ts";
import type { SearchQuery } from "./searchQuery.ts";

/** Listing of the chain that search reads in pages, with a cursor after every item. */
export type ChainSource = {
  read(cursor: bigint, limit: number): Promise<Page<AppSummary>>;
  /** Returns the cursor that continues directly after an item. */
  cursorAfter(item: AppSummary): bigint;
};

/** Returns the smallest listing that contains every match of a search. */
export function chooseSource(client: AppRegistryClient, query: SearchQuery): ChainSource {
  const { did, owner, status } = query;
  const interfaces = query.interface;
  if (did !== undefined) return createMajorsSource(client, did);
  if (owner !== undefined) return createTokenIdSource((options) => client.listByOwner({ owner, ...options }));
  if (status === "any") return createAllStatusesSource(client);
  if (status === 0 && interfaces !== undefined) {
    return createTokenIdSource((options) => client.listByInterface({ interfaces, ...options }));
  }
  return createTokenIdSource((options) => client.listByStatus({ status, ...options }));
}

type PageOptions = { cursor: bigint; limit: number };

/** Creates a source from one of the registry's listings. Their cursor is the last token id examined. */
const createTokenIdSource = (list: (options: PageOptions) => Listing<AppSummary>): ChainSource => ({
  read: (cursor, limit) => firstPage(list({ cursor, limit })),
  cursorAfter: ({ tokenId }) => tokenId,
});

async function firstPage(listing: Listing<AppSummary>): Promise<Page<AppSummary>> {
  for await (const page of listing.pages()) return page;
  return { items: [], nextCursor: null };
}

/** Position of the status in a cursor, in bits: above the token id. */
const tokenIdBits = 64n;

/** Creates a source of all records: Active, then Deprecated, then Replaced. */
function createAllStatusesSource(client: AppRegistryClient): ChainSource {
  const at = (status: number, tokenId: bigint) => (BigInt(status) << tokenIdBits) | tokenId;
  return {
    async read(cursor, limit) {
      const status = Number(cursor >> tokenIdBits);
      if (status > 2) return { items: [], nextCursor: null };
      const tokenId = BigInt.asUintN(Number(tokenIdBits), cursor);
      const options = { status: status as AppStatus, cursor: tokenId, limit };
      const { items, nextCursor } = await firstPage(client.listByStatus(options));
      if (nextCursor !== null) return { items, nextCursor: at(status, nextCursor) };
      return { items, nextCursor: status < 2 ? at(status + 1, 0n) : null };
    },
    cursorAfter: ({ status, tokenId }) => at(status, tokenId),
  };
}

/** Number of major versions to read concurrently. */
const majorsInOneRead = 8;

/** Creates a source of the major versions of one DID. The cursor is the next major to read. */
function createMajorsSource(client: AppRegistryClient, did: CanonicalDid): ChainSource {
  return {
    async read(cursor) {
      const latest = await undefinedIfNotRegistered(client.latestMajor(did));
      if (latest === undefined) return { items: [], nextCursor: null };
      const first = Number(cursor);
      const last = Math.min(latest, first + majorsInOneRead - 1);
      const majors = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
      const found = await Promise.all(
        majors.map((major) => undefinedIfNotRegistered(client.getAppSummary({ did, major }))),
      );
      const items = found.filter((item) => item !== undefined);
      return { items, nextCursor: last < latest ? BigInt(last + 1) : null };
    },
    cursorAfter: ({ versionMajor }) => BigInt(versionMajor + 1),
  };
}
