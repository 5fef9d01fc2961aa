import type { Address } from "viem";
import { type BlockParameter, type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { readView } from "../readView.ts";

/** Open challenge. It can be resolved from `resolvableFrom` until `expiresAt`. Times are Unix seconds. */
export type Challenge = { openedAt: number; resolvableFrom: number; expiresAt: number };

export type ChallengeParameters = { did: string; incumbent: Address; challenger: Address };

/**
 * Reads the open challenge of a controller (`incumbent`) by a challenger. Returns `undefined` if no challenge is open
 * or it has expired.
 *
 * @example
 * const challenge = await client.getChallenge({ did, incumbent, challenger });
 * if (challenge) console.log(new Date(challenge.resolvableFrom * 1000));
 */
export async function getChallenge(
  context: ClientContext,
  { did, incumbent, challenger, ...at }: BlockParameter & ChallengeParameters,
): Promise<Challenge | undefined> {
  const args = [toDidHash(did), incumbent, challenger] as const;
  const view = await readView(context, resolverContract(context), "getChallenge", args, at);
  if (view.openedAt === 0n) return undefined;
  return {
    openedAt: Number(view.openedAt),
    resolvableFrom: Number(view.resolvableFrom),
    expiresAt: Number(view.expiresAt),
  };
}
