import type { Address } from "viem";
import { type BlockParameter, type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { readView } from "../readView.ts";

/**
 * Returns the number of issuers with a matured attestation of a controller.
 *
 * @example
 * const score = await client.ownershipScore({ did, controller });
 */
export async function ownershipScore(
  context: ClientContext,
  { did, controller, ...at }: BlockParameter & { did: string; controller: Address },
): Promise<number> {
  const args = [toDidHash(did), controller] as const;
  return Number(await readView(context, resolverContract(context), "ownershipScore", args, at));
}
