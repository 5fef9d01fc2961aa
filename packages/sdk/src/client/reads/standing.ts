import type { Address } from "viem";
import { type AtBlock, type ClientContext, resolverContract } from "../context.ts";
import { didKey } from "../didKey.ts";
import { readView } from "../readView.ts";

/**
 * Reads the number of issuers whose settled attestation of a controller is held, or was until less than 48 hours ago. It
 * is the weight of the controller's objections, and what a challenger has to exceed.
 *
 * @example
 * const weight = await client.standing({ did, controller });
 */
export async function standing(
  context: ClientContext,
  { did, controller, ...at }: AtBlock & { did: string; controller: Address },
): Promise<number> {
  const args = [didKey(did), controller] as const;
  return Number(await readView(context, resolverContract(context), "standing", args, at));
}
