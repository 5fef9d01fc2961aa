import { type ClientContext, registryContract } from "../context.ts";
import { createPaginator, type Listing, type ListingOptions } from "../listing.ts";
import { readView } from "../readView.ts";
import { type AppStatus, type AppSummary, toAppSummary } from "../records.ts";

export type ListByStatusParameters = ListingOptions & { status: AppStatus };

/**
 * Lists the records with a status, in order of token id.
 *
 * @example
 * for await (const app of client.listByStatus({ status: 0 })) console.log(app.did);
 */
export function listByStatus(
  context: ClientContext,
  { status, ...options }: ListByStatusParameters,
): Listing<AppSummary> {
  const read = (cursor: bigint, limit: bigint) =>
    readView(context, registryContract(context), "getAppsByStatus", [status, cursor, limit]);
  return createPaginator(options, read, toAppSummary);
}
