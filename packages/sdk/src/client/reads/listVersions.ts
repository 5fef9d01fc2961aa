import { normalizeDid } from "../../did.ts";
import { type ClientContext, registryContract } from "../context.ts";
import { createPaginator, type Listing, type ListingOptions } from "../listing.ts";
import { readView } from "../readView.ts";
import { toVersionEntry, type VersionEntry } from "../records.ts";

export type ListVersionsParameters = ListingOptions & { did: string; major: number };

/**
 * Lists the published versions of a record, oldest first.
 *
 * @example
 * for await (const version of client.listVersions({ did, major: 1 })) console.log(formatVersion(version));
 */
export function listVersions(
  context: ClientContext,
  { did, major, ...options }: ListVersionsParameters,
): Listing<VersionEntry> {
  const canonical = normalizeDid(did);
  const read = (cursor: bigint, limit: bigint) =>
    readView(context, registryContract(context), "getVersionHistory", [canonical, major, cursor, limit]);
  return createPaginator(options, read, toVersionEntry);
}
