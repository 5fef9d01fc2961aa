import type { Address } from "viem";
import { type BlockParameter, type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { readView } from "../readView.ts";

/** Longest block of an account, in seconds. */
export const MAX_BLOCK = 30 * 24 * 3_600;

/** Block that prevents an account from controlling a DID, whichever issuers attest it. Times are Unix seconds. */
export type Block = {
  /** Start of the block. It applies to the account's attestations that mature after this time. */
  blockedAt: number;
  /** First second after the block. */
  blockedUntil: number;
  /**
   * Number of issuers that backed its author. The block does not apply while more issuers than this have a live or
   * overdue attestation of the account that matured at least one challenge period ago and expires more than one
   * challenge period after it matured.
   */
  weight: number;
};

/**
 * Reads the block on an account. Returns `undefined` if the account is not blocked or the block has ended.
 * `getController` shows if the block applies now.
 *
 * @example
 * const block = await client.getBlock({ did, controller: newcomer });
 * if (block) console.log(new Date(block.blockedUntil * 1000));
 */
export async function getBlock(
  context: ClientContext,
  { did, controller, ...at }: BlockParameter & { did: string; controller: Address },
): Promise<Block | undefined> {
  const args = [toDidHash(did), controller] as const;
  const view = await readView(context, resolverContract(context), "getBlock", args, at);
  if (view.blockedUntil === 0n) return undefined;
  return {
    blockedAt: Number(view.blockedAt),
    blockedUntil: Number(view.blockedUntil),
    weight: Number(view.weight),
  };
}
