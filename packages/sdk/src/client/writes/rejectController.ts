import type { Address, Hash } from "viem";
import { type ClientContext, resolverContract } from "../context.ts";
import { didKey } from "../didKey.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type RejectControllerParameters = { did: string; controller: Address };

/**
 * Builds the call that {@link rejectController} sends.
 *
 * @example
 * const call = client.prepareRejectController({ did, controller: newcomer });
 * call.functionName; // "rejectController"
 */
export const prepareRejectController = (
  context: ClientContext,
  { did, controller }: RejectControllerParameters,
) =>
  ({
    ...resolverContract(context),
    functionName: "rejectController",
    args: [didKey(did), controller],
  }) as const;

/**
 * Keeps a waiting newcomer from counting, for as long as the account counts.
 *
 * @example
 * const hash = await client.rejectController({ did, controller: newcomer });
 * await client.waitForReceipt({ hash });
 */
export const rejectController = async (
  context: ClientContext,
  { account, ...parameters }: RejectControllerParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareRejectController(context, parameters), { account });
