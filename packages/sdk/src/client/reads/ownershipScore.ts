import type { Address } from "viem";
import { type AtBlock, type ClientContext, didKey, resolverContract } from "../context.ts";
import { readView } from "../readView.ts";

/**
 * Reads the number of issuers with a matured attestation of a controller.
 *
 * @example
 * const score = await client.ownershipScore({ did, controller });
 */
export async function ownershipScore(
  context: ClientContext,
  { did, controller, ...at }: AtBlock & { did: string; controller: Address },
): Promise<number> {
  const args = [didKey(did), controller] as const;
  return Number(await readView(context, resolverContract(context), "ownershipScore", args, at));
}
