import type { Hash, Hex } from "viem";
import { type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type RevokeDataHashParameters = { did: string; dataHash: Hex };

/**
 * Builds the call that {@link revokeDataHash} sends.
 *
 * @example
 * const call = client.prepareRevokeDataHash({ did, dataHash });
 * call.functionName; // "revokeDataHash"
 */
export const prepareRevokeDataHash = (context: ClientContext, { did, dataHash }: RevokeDataHashParameters) =>
  ({
    ...resolverContract(context),
    functionName: "revokeDataHash",
    args: [toDidHash(did), dataHash],
  }) as const;

/**
 * Revokes every attestation that the issuer sent or signed of a dataHash. Only an active or retired issuer can send it.
 *
 * @example
 * const hash = await client.revokeDataHash({ did, dataHash });
 * await client.waitForReceipt({ hash });
 */
export const revokeDataHash = async (
  context: ClientContext,
  { account, ...parameters }: RevokeDataHashParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareRevokeDataHash(context, parameters), { account });
