import type { Address } from "viem";
import { type BlockParameter, type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { readView } from "../readView.ts";

/**
 * Returns true if an account controls a DID now (the resolver's `checkDID`).
 *
 * @example
 * await client.checkDid({ did, controller }); // true
 */
export async function checkDid(
  context: ClientContext,
  { did, controller, ...at }: BlockParameter & { did: string; controller: Address },
): Promise<boolean> {
  return readView(context, resolverContract(context), "checkDID", [toDidHash(did), controller], at);
}
