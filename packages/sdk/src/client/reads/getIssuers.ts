import type { Address } from "viem";
import { type AtBlock, type ClientContext, resolverContract } from "../context.ts";
import { readView } from "../readView.ts";

/**
 * Reads the authorised issuers; at most 16.
 *
 * @example
 * const issuers = await client.getIssuers();
 */
export const getIssuers = (context: ClientContext, at?: AtBlock): Promise<readonly Address[]> =>
  readView(context, resolverContract(context), "getIssuers", [], at);
