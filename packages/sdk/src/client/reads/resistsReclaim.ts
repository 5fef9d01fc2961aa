import type { Address } from "viem";
import { type BlockParameter, type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { readView } from "../readView.ts";

/**
 * Returns true if an account protects the records that it minted or holds from being reclaimed: while it controls the
 * DID, and for 7 days after its attestation expired or was revoked.
 *
 * @example
 * await client.resistsReclaim({ did, controller }); // true
 */
export async function resistsReclaim(
  context: ClientContext,
  { did, controller, ...at }: BlockParameter & { did: string; controller: Address },
): Promise<boolean> {
  return readView(context, resolverContract(context), "resistsReclaim", [toDidHash(did), controller], at);
}
