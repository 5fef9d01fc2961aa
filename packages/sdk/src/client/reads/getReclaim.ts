import type { Address } from "viem";
import { zeroAddress } from "viem";
import { normalizeDid } from "../../did.ts";
import { type AtBlock, type ClientContext, registryContract } from "../context.ts";
import { readView } from "../readView.ts";

/** A reclaim that runs; it can be finished from `finishableAt` on, Unix seconds. */
export type Reclaim = { claimant: Address; finishableAt: number };

/**
 * Reads the reclaim of a record that runs now, if there is one.
 *
 * @example
 * const reclaim = await client.getReclaim({ did, major: 1 });
 * if (reclaim) console.log(reclaim.claimant, new Date(reclaim.finishableAt * 1000));
 */
export async function getReclaim(
  context: ClientContext,
  { did, major, ...at }: AtBlock & { did: string; major: number },
): Promise<Reclaim | undefined> {
  const args = [normalizeDid(did), major] as const;
  const { claimant, finishableAt } = await readView(
    context,
    registryContract(context),
    "getReclaim",
    args,
    at,
  );
  return claimant === zeroAddress ? undefined : { claimant, finishableAt: Number(finishableAt) };
}
