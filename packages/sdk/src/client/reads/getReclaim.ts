import type { Address } from "viem";
import { normalizeDid } from "../../did.ts";
import { type BlockParameter, type ClientContext, registryContract } from "../context.ts";
import { readView } from "../readView.ts";

/** Open reclaim of a claimant. It can be finished from `finishableFrom` until `expiresAt`. Times are Unix seconds. */
export type Reclaim = { openedAt: number; finishableFrom: number; expiresAt: number };

export type ReclaimParameters = { did: string; major: number; claimant: Address };

/**
 * Reads a claimant's open reclaim of a record. Returns `undefined` if no reclaim is open or it has expired.
 *
 * @example
 * const reclaim = await client.getReclaim({ did, major: 1, claimant: newcomer });
 * if (reclaim) console.log(new Date(reclaim.finishableFrom * 1000));
 */
export async function getReclaim(
  context: ClientContext,
  { did, major, claimant, ...at }: BlockParameter & ReclaimParameters,
): Promise<Reclaim | undefined> {
  const args = [normalizeDid(did), major, claimant] as const;
  const view = await readView(context, registryContract(context), "getReclaim", args, at);
  if (view.openedAt === 0n) return undefined;
  return {
    openedAt: Number(view.openedAt),
    finishableFrom: Number(view.finishableFrom),
    expiresAt: Number(view.expiresAt),
  };
}
