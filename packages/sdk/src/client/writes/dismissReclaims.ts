import type { Hash } from "viem";
import { normalizeDid } from "../../did.ts";
import { type ClientContext, registryContract } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type DismissReclaimsParameters = { did: string; major: number };

/**
 * Builds the call that {@link dismissReclaims} sends.
 *
 * @example
 * const call = client.prepareDismissReclaims({ did, major: 1 });
 * call.functionName; // "dismissReclaims"
 */
export const prepareDismissReclaims = (context: ClientContext, { did, major }: DismissReclaimsParameters) =>
  ({
    ...registryContract(context),
    functionName: "dismissReclaims",
    args: [normalizeDid(did), major],
  }) as const;

/**
 * Ends every open reclaim of a record, as an update does. The sender must be allowed to update the record.
 *
 * @example
 * const hash = await client.dismissReclaims({ did, major: 1 });
 * await client.waitForReceipt({ hash });
 */
export const dismissReclaims = async (
  context: ClientContext,
  { account, ...parameters }: DismissReclaimsParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareDismissReclaims(context, parameters), { account });
