import type { Address } from "viem";
import { type ClientContext, registryContract } from "../context.ts";
import { createPaginator, type Listing, type ListingOptions } from "../listing.ts";
import { readView } from "../readView.ts";
import { type AppSummary, toAppSummary } from "../records.ts";

export type ListByOwnerParameters = ListingOptions & { owner: Address };

/**
 * Lists the records that an account holds, in any status, in order of token id.
 *
 * @example
 * for await (const app of client.listByOwner({ owner })) console.log(app.did, app.status);
 */
export function listByOwner(
  context: ClientContext,
  { owner, ...options }: ListByOwnerParameters,
): Listing<AppSummary> {
  const read = (cursor: bigint, limit: bigint) =>
    readView(context, registryContract(context), "getAppsByOwner", [owner, cursor, limit]);
  return createPaginator(options, read, toAppSummary);
}
