import type { Address } from "viem";
import { type BlockParameter, type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { readView } from "../readView.ts";

/** An open challenge, Unix seconds: it can be resolved from `resolvableFrom`, and has expired at `expiresAt`. */
export type Challenge = { openedAt: number; resolvableFrom: number; expiresAt: number };

export type ChallengeParameters = { did: string; incumbent: Address; challenger: Address };

/**
 * Reads the open challenge of an incumbent by a challenger, if there is one.
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
