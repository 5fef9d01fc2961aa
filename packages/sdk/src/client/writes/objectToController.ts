import type { Address, Hash } from "viem";
import { type ClientContext, didKey, resolverContract } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type ObjectToControllerParameters = { did: string; controller: Address };

/**
 * Builds the call that {@link objectToController} sends.
 *
 * @example
 * const call = client.prepareObjectToController({ did, controller: newcomer });
 * call.functionName; // "objectToController"
 */
export const prepareObjectToController = (
  context: ClientContext,
  { did, controller }: ObjectToControllerParameters,
) =>
  ({
    ...resolverContract(context),
    functionName: "objectToController",
    args: [didKey(did), controller],
  }) as const;

/**
 * Keeps attestations of an account that have not settled yet, and later ones, from making it count. The account must not
 * count; the sender must, or be late with its renewal. `Objection` says how long it is in force.
 *
 * @example
 * const hash = await client.objectToController({ did, controller: newcomer });
 * await client.waitForReceipt({ hash });
 */
export const objectToController = async (
  context: ClientContext,
  { account, ...parameters }: ObjectToControllerParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareObjectToController(context, parameters), { account });
