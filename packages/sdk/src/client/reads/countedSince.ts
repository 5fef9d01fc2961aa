import type { Address } from "viem";
import { type AtBlock, type ClientContext, didKey, resolverContract } from "../context.ts";
import { readView } from "../readView.ts";

export type CountedSinceParameters = {
  did: string;
  controller: Address;
  /** Unix seconds. */
  since: number;
};

/**
 * Reads whether an account had a settled attestation that no objection in force bars, at any moment since a time.
 * Reclaims check this for the record's minter and holder.
 *
 * @example
 * await client.countedSince({ did, controller, since: 0 }); // true
 */
export async function countedSince(
  context: ClientContext,
  { did, controller, since, ...at }: AtBlock & CountedSinceParameters,
): Promise<boolean> {
  const args = [didKey(did), controller, BigInt(since)] as const;
  return readView(context, resolverContract(context), "countedSince", args, at);
}
