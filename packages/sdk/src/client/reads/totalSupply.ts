import { type BlockParameter, type ClientContext, registryContract } from "../context.ts";
import { readView } from "../readView.ts";

/**
 * Returns the number of records.
 *
 * @example
 * const records = await client.totalSupply();
 */
export const totalSupply = (context: ClientContext, at?: BlockParameter): Promise<bigint> =>
  readView(context, registryContract(context), "totalSupply", [], at);
