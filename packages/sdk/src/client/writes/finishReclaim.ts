import type { Hash } from "viem";
import { normalizeDid } from "../../did.ts";
import { type ClientContext, registryContract } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type FinishReclaimParameters = { did: string; major: number };

/**
 * Builds the call that {@link finishReclaim} sends.
 *
 * @example
 * const call = client.prepareFinishReclaim({ did, major: 1 });
 * call.functionName; // "finishReclaim"
 */
export const prepareFinishReclaim = (context: ClientContext, { did, major }: FinishReclaimParameters) =>
  ({
    ...registryContract(context),
    functionName: "finishReclaim",
    args: [normalizeDid(did), major],
  }) as const;

/**
 * Transfers the record's token to the sender, 30 to 60 days after the sender opened its reclaim, unless the minter or
 * holder resists or dismissed it. The record's next version may be lower than the current one.
 *
 * @example
 * const hash = await client.finishReclaim({ did, major: 1 });
 * await client.waitForReceipt({ hash });
 */
export const finishReclaim = async (
  context: ClientContext,
  { account, ...parameters }: FinishReclaimParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareFinishReclaim(context, parameters), { account });
