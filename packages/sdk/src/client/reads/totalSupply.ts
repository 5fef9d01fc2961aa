import { type AtBlock, type ClientContext, registryContract } from "../context.ts";
import { readView } from "../readView.ts";

/** Reads the number of records. */
export const totalSupply = (context: ClientContext, at?: AtBlock): Promise<bigint> =>
  readView(context, registryContract(context), "totalSupply", [], at);
