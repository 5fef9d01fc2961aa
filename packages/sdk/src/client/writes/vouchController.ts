import type { Address, Hash } from "viem";
import { type ClientContext, didKey, resolverContract } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type VouchControllerParameters = { did: string; controller: Address };

/**
 * Builds the call that {@link vouchController} sends.
 *
 * @example
 * const call = client.prepareVouchController({ did, controller: newcomer });
 * call.functionName; // "vouchController"
 */
export const prepareVouchController = (
  context: ClientContext,
  { did, controller }: VouchControllerParameters,
) =>
  ({
    ...resolverContract(context),
    functionName: "vouchController",
    args: [didKey(did), controller],
  }) as const;

/**
 * Lets an attested newcomer count without waiting, and ends the sender's objection to it. The sender must count.
 * Nothing depends on the sender afterwards.
 *
 * @example
 * const hash = await client.vouchController({ did, controller: newcomer });
 * await client.waitForReceipt({ hash });
 */
export const vouchController = async (
  context: ClientContext,
  { account, ...parameters }: VouchControllerParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareVouchController(context, parameters), { account });
