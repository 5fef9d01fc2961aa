import { type AtBlock, type ClientContext, registryContract } from "../context.ts";
import { readView } from "../readView.ts";

/**
 * Reads the number of records.
 *
 * @example
 * const records = await client.totalSupply();
 */
export const totalSupply = (context: ClientContext, at?: AtBlock): Promise<bigint> =>
  readView(context, registryContract(context), "totalSupply", [], at);
