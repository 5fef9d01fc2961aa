import type { Address, Hash } from "viem";
import { type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type UnblockControllerParameters = { did: string; controller: Address };

/**
 * Builds the call that {@link unblockController} sends.
 *
 * @example
 * const call = client.prepareUnblockController({ did, controller: newcomer });
 * call.functionName; // "unblockController"
 */
export const prepareUnblockController = (
  context: ClientContext,
  { did, controller }: UnblockControllerParameters,
) =>
  ({
    ...resolverContract(context),
    functionName: "unblockController",
    args: [toDidHash(did), controller],
  }) as const;

/**
 * Ends the block of an account, which may be the sender itself. The sender must control the DID or have an overdue
 * renewal.
 *
 * @example
 * const hash = await client.unblockController({ did, controller: newcomer });
 * await client.waitForReceipt({ hash });
 */
export const unblockController = async (
  context: ClientContext,
  { account, ...parameters }: UnblockControllerParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareUnblockController(context, parameters), { account });
