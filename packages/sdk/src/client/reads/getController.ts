import type { Address } from "viem";
import { type AtBlock, type ClientContext, didKey, resolverContract } from "../context.ts";
import { readView } from "../readView.ts";
import { toTime } from "../times.ts";

/** Why an account counts as a controller of a DID, or doesn't. */
export type Controller = {
  /** What `checkDid` returns: it has a live attestation that is settled or vouched for and that no objection bars. */
  counts: boolean;
  /** It has a live attestation. */
  attested: boolean;
  /** An objection in force bars all of its live attestations. */
  objected: boolean;
  /**
   * A settled attestation of it expired less than 7 days ago, and none is settled now. A renewal loses nothing, and an
   * objection made after that attestation settled doesn't bar it.
   */
  late: boolean;
  /** When the first of its live attestations settles or settled, Unix seconds; undefined if none does. */
  settlesAt: number | undefined;
  /** Number of issuers with a settled attestation of it. */
  score: number;
  /**
   * Number of issuers whose settled attestation of it is live or expired less than 7 days ago, or was so less than one
   * maturation ago (48 hours, if that is longer). A challenger's score must exceed it.
   */
  standing: number;
};

/**
 * Reads why an account counts as a controller of a DID, or doesn't.
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
