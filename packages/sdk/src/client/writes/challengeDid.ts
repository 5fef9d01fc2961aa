import type { Address, Hash } from "viem";
import { type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type ChallengeDidParameters = { did: string; incumbent: Address };

/**
 * Builds the call that {@link challengeDid} sends.
 *
 * @example
 * const call = client.prepareChallengeDid({ did, incumbent });
 * call.functionName; // "challengeDID"
 */
export const prepareChallengeDid = (context: ClientContext, { did, incumbent }: ChallengeDidParameters) =>
  ({
    ...resolverContract(context),
    functionName: "challengeDID",
    args: [toDidHash(did), incumbent],
  }) as const;

/**
 * Opens a challenge of a controller (`incumbent`). The sender needs a matured attestation of its own.
 *
 * @example
 * const hash = await client.challengeDid({ did, incumbent });
 * await client.waitForReceipt({ hash });
 */
export const challengeDid = async (
  context: ClientContext,
  { account, ...parameters }: ChallengeDidParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareChallengeDid(context, parameters), { account });
