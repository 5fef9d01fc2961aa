import type { Address } from "viem";
import { type AtBlock, type ClientContext, resolverContract } from "../context.ts";
import { didKey } from "../didKey.ts";
import { readView } from "../readView.ts";
import { toTime } from "../times.ts";

/** Why an account counts as a controller of a DID, or does not. */
export type Controller = {
  /** What `checkDid` answers: it has a live attestation that is settled or vouched for, and nobody objects. */
  counts: boolean;
  /** It has a live attestation. */
  attested: boolean;
  /** An objection against it is in force. */
  objected: boolean;
  /** Its settled attestations expired less than 7 days ago: a renewal loses nothing, and nobody may object meanwhile. */
  late: boolean;
  /** When the first of its live attestations settles, Unix seconds; undefined when none does. May have passed. */
  settlesAt: number | undefined;
  /** Number of issuers with a settled attestation of it. */
  score: number;
  /** Weight of its objections, see `standing`. */
  standing: number;
};

/**
 * Reads why an account counts as a controller of a DID, or does not.
 *
 * @example
 * const { counts, late } = await client.getController({ did, controller });
 * counts; // true
 * late; // false
 */
export async function getController(
  context: ClientContext,
  { did, controller, ...at }: AtBlock & { did: string; controller: Address },
): Promise<Controller> {
  const args = [didKey(did), controller] as const;
  const view = await readView(context, resolverContract(context), "getController", args, at);
  return {
    ...view,
    settlesAt: toTime(view.settlesAt),
    score: Number(view.score),
    standing: Number(view.standing),
  };
}
