import type { Address, Hash } from "viem";
import { type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type ResolveChallengeParameters = { did: string; incumbent: Address; challenger: Address };

/**
 * Builds the call that {@link resolveChallenge} sends.
 *
 * @example
 * const call = client.prepareResolveChallenge({ did, incumbent, challenger });
 * call.functionName; // "resolveChallenge"
 */
export const prepareResolveChallenge = (
  context: ClientContext,
  { did, incumbent, challenger }: ResolveChallengeParameters,
) =>
  ({
    ...resolverContract(context),
    functionName: "resolveChallenge",
    args: [toDidHash(did), incumbent, challenger],
  }) as const;

/**
 * Removes the challenged controller (`incumbent`) as a controller. Any account can send it, from `resolvableFrom` until
 * `expiresAt`. Reverts with `ChallengeNotWon` unless the challenger's score exceeds the incumbent's resistance; the
 * challenge then stays open.
 *
 * @example
 * const hash = await client.resolveChallenge({ did, incumbent, challenger });
 * await client.waitForReceipt({ hash });
 */
export const resolveChallenge = async (
  context: ClientContext,
  { account, ...parameters }: ResolveChallengeParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareResolveChallenge(context, parameters), { account });
