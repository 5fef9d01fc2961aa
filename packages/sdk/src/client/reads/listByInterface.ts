import { type ClientContext, registryContract } from "../context.ts";
import { createPaginator, type Listing, type ListingOptions } from "../listing.ts";
import { readView } from "../readView.ts";
import { type AppSummary, toAppSummary } from "../records.ts";

export type ListByInterfaceParameters = ListingOptions & {
  /** Interface bitmap, 1 to 7: 1 Human, 2 API, 4 Contract. */
  interfaces: number;
  /** True (the default) to match records with every bit, false for records with at least one. */
  matchAll?: boolean | undefined;
};

/**
 * Lists the Active records that match an interface bitmap, in order of token id.
 *
 * @example
 * for await (const app of client.listByInterface({ interfaces: Interfaces.Api })) console.log(app.did);
 */
export function listByInterface(
  context: ClientContext,
  { interfaces, matchAll = true, ...options }: ListByInterfaceParameters,
): Listing<AppSummary> {
  const read = (cursor: bigint, limit: bigint) =>
    readView(context, registryContract(context), "getAppsByInterface", [interfaces, matchAll, cursor, limit]);
  return createPaginator(options, read, toAppSummary);
}
