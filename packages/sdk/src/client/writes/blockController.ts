import type { Address, Hash } from "viem";
import { type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

/** Account to block from controlling a DID, until a time in Unix seconds that is at most `MAX_BLOCK` ahead. */
export type BlockControllerParameters = { did: string; controller: Address; until: number };

/**
 * Builds the call that {@link blockController} sends.
 *
 * @example
 * const call = client.prepareBlockController({ did, controller: newcomer, until });
 * call.functionName; // "blockController"
 */
export const prepareBlockController = (
  context: ClientContext,
  { did, controller, until }: BlockControllerParameters,
) =>
  ({
    ...resolverContract(context),
    functionName: "blockController",
    args: [toDidHash(did), controller, BigInt(until)],
  }) as const;

/**
 * Blocks an account from controlling a DID, or extends its block. The sender must control the DID or have an overdue
 * renewal; the account must not.
 *
 * @example
 * const hash = await client.blockController({ did, controller: newcomer, until });
 * await client.waitForReceipt({ hash });
 */
export const blockController = async (
  context: ClientContext,
  { account, ...parameters }: BlockControllerParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareBlockController(context, parameters), { account });
