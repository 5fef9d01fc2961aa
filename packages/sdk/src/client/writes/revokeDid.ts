import type { Address, Hash } from "viem";
import { type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type RevokeDidParameters = { did: string; controller: Address };

/**
 * Builds the call that {@link revokeDid} sends.
 *
 * @example
 * const call = client.prepareRevokeDid({ did, controller });
 * call.functionName; // "revokeDID"
 */
export const prepareRevokeDid = (context: ClientContext, { did, controller }: RevokeDidParameters) =>
  ({ ...resolverContract(context), functionName: "revokeDID", args: [toDidHash(did), controller] }) as const;

/**
 * Revokes every attestation that the issuer sent or signed of a controller. Only an active or retired issuer can send
 * it.
 *
 * @example
 * const hash = await client.revokeDid({ did, controller });
 * await client.waitForReceipt({ hash });
 */
export const revokeDid = async (
  context: ClientContext,
  { account, ...parameters }: RevokeDidParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareRevokeDid(context, parameters), { account });
