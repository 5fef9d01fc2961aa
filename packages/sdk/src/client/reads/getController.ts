import { type Address, zeroAddress } from "viem";
import { type AtBlock, type ClientContext, resolverContract } from "../context.ts";
import { didKey } from "../didKey.ts";
import { readView } from "../readView.ts";

/** Why an account counts as a controller of a DID, or does not. */
export type Controller = {
  /** What `checkDid` answers. */
  counts: boolean;
  /** A live attestation exists. */
  attested: boolean;
  /** It is the first controller ever recorded for the DID. */
  first: boolean;
  /** Attested, but a newcomer on a claimed DID whose wait is not over. */
  waiting: boolean;
  /** When the wait ends, Unix seconds; undefined for the first controller and one without a record. */
  countsFrom: number | undefined;
  /** A rejection by a controller who counts stands against it. */
  rejected: boolean;
  /** The controller whose vouch holds now. */
  voucher: Address | undefined;
};

/**
 * Reads why an account counts as a controller of a DID, or does not.
 *
 * @example
 * const { counts, first } = await client.getController({ did, controller });
 * first; // true
 */
export async function getController(
  context: ClientContext,
  { did, controller, ...at }: AtBlock & { did: string; controller: Address },
): Promise<Controller> {
  const args = [didKey(did), controller] as const;
  const view = await readView(context, resolverContract(context), "getController", args, at);
  const { counts, attested, first, rejected } = view;
  return {
    counts,
    attested,
    first,
    waiting: attested && !counts && !rejected,
    countsFrom: view.countsFrom === 0n ? undefined : Number(view.countsFrom),
    rejected,
    voucher: view.voucher === zeroAddress ? undefined : view.voucher,
  };
}
