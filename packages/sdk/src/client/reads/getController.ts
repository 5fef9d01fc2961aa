import type { Address } from "viem";
import { type BlockParameter, type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { readView } from "../readView.ts";
import { toUnixTime } from "../times.ts";

/** Why an account controls a DID, or doesn't. Times are Unix seconds. */
export type Controller = {
  /** What `checkDid` returns: it has a matured attestation to which no block applies. */
  controls: boolean;
  /** It controls the DID, or would if its overdue renewal were made. Only such an account can block and unblock. */
  inCharge: boolean;
  /** It has a live attestation. */
  attested: boolean;
  /** First second from now on at which it controls the DID if nobody acts; `undefined` if it never will. */
  controlsFrom: number | undefined;
  /** End of the block because of which it isn't in charge, or won't be; `undefined` without one. */
  blockedUntil: number | undefined;
  /** Number of issuers with a matured attestation of it. Blocks don't change it. */
  score: number;
  /**
   * What a challenger's score must exceed: the number of issuers whose attestation of it is live, or was in the last
   * 7 days. Blocks don't change it.
   */
  resistance: number;
};

/**
 * Reads why an account controls a DID, or doesn't.
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
