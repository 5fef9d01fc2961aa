import type { Address, Hash } from "viem";
import { type ClientContext, didKey, resolverContract } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type WithdrawObjectionParameters = { did: string; controller: Address };

/**
 * Builds the call that {@link withdrawObjection} sends.
 *
 * @example
 * const call = client.prepareWithdrawObjection({ did, controller: newcomer });
 * call.functionName; // "withdrawObjection"
 */
export const prepareWithdrawObjection = (
  context: ClientContext,
  { did, controller }: WithdrawObjectionParameters,
) =>
  ({
    ...resolverContract(context),
    functionName: "withdrawObjection",
    args: [didKey(did), controller],
  }) as const;

/**
 * Ends the sender's own objection to an account, in force or not.
 *
 * @example
 * const hash = await client.withdrawObjection({ did, controller: newcomer });
 * await client.waitForReceipt({ hash });
 */
export const withdrawObjection = async (
  context: ClientContext,
  { account, ...parameters }: WithdrawObjectionParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareWithdrawObjection(context, parameters), { account });
