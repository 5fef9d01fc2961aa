import type { Hash } from "viem";
import { normalizeDid } from "../../did.ts";
import { type ClientContext, registryContract } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type LapseReclaimParameters = { did: string; major: number };

/**
 * Builds the call that {@link lapseReclaim} sends.
 *
 * @example
 * const call = client.prepareLapseReclaim({ did, major: 1 });
 * call.functionName; // "lapseReclaim"
 */
export const prepareLapseReclaim = (context: ClientContext, { did, major }: LapseReclaimParameters) =>
  ({ ...registryContract(context), functionName: "lapseReclaim", args: [normalizeDid(did), major] }) as const;

/**
 * Ends an open reclaim: anyone may while minter or holder counts, its claimant at any time.
 *
 * @example
 * const hash = await client.lapseReclaim({ did, major: 1 });
 * await client.waitForReceipt({ hash });
 */
export const lapseReclaim = async (
  context: ClientContext,
  { account, ...parameters }: LapseReclaimParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareLapseReclaim(context, parameters), { account });
