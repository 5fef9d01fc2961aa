import type { Address } from "viem";
import { type AtBlock, type ClientContext, resolverContract } from "../context.ts";
import { didKey } from "../didKey.ts";
import { readView } from "../readView.ts";

/** One controller's objection against an account. */
export type Objection = {
  author: Address;
  /** Number of issuers that give the author weight now, see `standing`. */
  standing: number;
  /** Whether it keeps the account from counting now. */
  inForce: boolean;
};

/**
 * Reads the objections against an account, in force or not; at most 4.
 *
 * @example
 * const objections = await client.getObjections({ did, controller: newcomer });
 * objections.some(({ inForce }) => inForce); // false
 */
export async function getObjections(
  context: ClientContext,
  { did, controller, ...at }: AtBlock & { did: string; controller: Address },
): Promise<Objection[]> {
  const args = [didKey(did), controller] as const;
  const views = await readView(context, resolverContract(context), "getObjections", args, at);
  return views.map((view) => ({ ...view, standing: Number(view.standing) }));
}
