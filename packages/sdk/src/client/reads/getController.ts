import type { Address } from "viem";
import { type BlockParameter, type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { readView } from "../readView.ts";
import { toUnixTime } from "../times.ts";

/** State of an account for a DID, with the reasons. Times are Unix seconds. */
export type Controller = {
  /**
   * True if the account controls the DID, as `checkDid` returns: it has a matured attestation to which no block
   * applies.
   */
  controls: boolean;
  /**
   * True if the account controls the DID, or would after an overdue renewal. Only such an account can block and
   * unblock.
   */
  inCharge: boolean;
  /** True if the account has a live attestation. */
  attested: boolean;
  /** First second from now on at which the account controls the DID if nobody acts; `undefined` if it never will. */
  controlsFrom: number | undefined;
  /** End of the block that prevents control now or later; `undefined` without one. */
  blockedUntil: number | undefined;
  /** Number of issuers with a matured attestation of the account. Blocks do not change it. */
  score: number;
  /**
   * Score that a challenger must exceed: the number of issuers whose attestation of the account is live, or was in the
   * last 7 days. Blocks do not change it.
   */
  resistance: number;
};

/**
 * Reads the state of an account for a DID: control, blocks, score and resistance.
 *
 * @example
 * const { controls, blockedUntil } = await client.getController({ did, controller });
 * controls; // true
 * blockedUntil; // undefined
 */
export async function getController(
  context: ClientContext,
  { did, controller, ...at }: BlockParameter & { did: string; controller: Address },
): Promise<Controller> {
  const args = [toDidHash(did), controller] as const;
  const view = await readView(context, resolverContract(context), "getController", args, at);
  return {
    ...view,
    controlsFrom: toUnixTime(view.controlsFrom),
    blockedUntil: toUnixTime(view.blockedUntil),
    score: Number(view.score),
    resistance: Number(view.resistance),
  };
}
