import type { Address } from "viem";
import { type AtBlock, type ClientContext, didKey, resolverContract } from "../context.ts";
import { readView } from "../readView.ts";

/** One controller's objection against an account. */
export type Objection = {
  author: Address;
  /** When it was made, Unix seconds: it bars the attestations of the account that had not settled by then. */
  objectedAt: number;
  /** Its weight: the issuers whose attestation of the author began by then, and counts or gives standing now. */
  standing: number;
  /**
   * Whether it bars them now: `standing` is at least 1, and at least the number of issuers whose attestation of the
   * account settled 7 days ago or earlier and is live, or expired less than 7 days ago.
   */
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
  return views.map((view) => ({
    ...view,
    objectedAt: Number(view.objectedAt),
    standing: Number(view.standing),
  }));
}
