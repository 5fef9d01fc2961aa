import type { Address } from "viem";
import { type AtBlock, type ClientContext, didKey, resolverContract } from "../context.ts";
import { readView } from "../readView.ts";

/** Seconds for which an attestation must have been settled before it overrules an objection: `DIDControl` has them. */
export const OBJECTION_TIME = 7 * 24 * 3_600;

/** One controller's objection against an account. */
export type Objection = {
  author: Address;
  /** When it was made, Unix seconds. It bars the account's attestations that had not settled by then. */
  objectedAt: number;
  /** Its weight: the number of issuers whose attestation of the author began by then, and counts or gives standing now. */
  standing: number;
  /**
   * Whether it bars them now: `standing` is at least 1, and at least the number of issuers whose attestation of the
   * account settled {@link OBJECTION_TIME} ago or earlier and is live, or expired less than 7 days ago.
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
