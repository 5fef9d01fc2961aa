import type { Address } from "viem";
import { type BlockParameter, type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { readView } from "../readView.ts";

/** Longest time for which an account can be blocked, in seconds. */
export const MAX_BLOCK = 30 * 24 * 3_600;

/** A block that keeps an account from control of a DID, whoever attests it. Times are Unix seconds. */
export type Block = {
  /** It applies to the account's attestations that mature later than this. */
  blockedAt: number;
  /** First second at which it has ended. */
  blockedUntil: number;
  /**
   * Number of issuers whose attestations put its author in charge. It doesn't apply while attestations of the account by
   * more issuers than this matured one challenge period ago or earlier, for longer than that period.
   */
  weight: number;
};

/**
 * Reads the block on an account; `undefined` if there is none or it has ended. `getController` tells whether it has an
 * effect now.
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
