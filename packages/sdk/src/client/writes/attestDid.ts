import type { Address, Hash } from "viem";
import { type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";
import { type Expiry, toExpiresAt } from "../times.ts";

export type AttestDidParameters = Expiry & { did: string; controller: Address };

/**
 * Builds the call that {@link attestDid} sends.
 *
 * @example
 * const call = client.prepareAttestDid({ did, controller });
 * call.functionName; // "attestDID"
 */
export const prepareAttestDid = (
  context: ClientContext,
  { did, controller, ...expiry }: AttestDidParameters,
) =>
  ({
    ...resolverContract(context),
    functionName: "attestDID",
    args: [toDidHash(did), controller, toExpiresAt(expiry)],
  }) as const;

/**
 * Attests that an account controls a DID, or renews the attestation. Only an active issuer can send it.
 *
 * @example
 * const hash = await client.attestDid({ did, controller });
 * await client.waitForReceipt({ hash });
 */
export const attestDid = async (
  context: ClientContext,
  { account, ...parameters }: AttestDidParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareAttestDid(context, parameters), { account });
