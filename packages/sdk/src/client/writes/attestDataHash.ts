import type { Hash, Hex } from "viem";
import { type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";
import { type Expiry, toExpiresAt } from "../times.ts";

export type AttestDataHashParameters = Expiry & { did: string; dataHash: Hex };

/**
 * Builds the call that {@link attestDataHash} sends.
 *
 * @example
 * const call = client.prepareAttestDataHash({ did, dataHash });
 * call.functionName; // "attestDataHash"
 */
export const prepareAttestDataHash = (
  context: ClientContext,
  { did, dataHash, ...expiry }: AttestDataHashParameters,
) =>
  ({
    ...resolverContract(context),
    functionName: "attestDataHash",
    args: [toDidHash(did), dataHash, toExpiresAt(expiry)],
  }) as const;

/**
 * Attests the dataHash of a DID's metadata, or renews the attestation. Only an active issuer can send it.
 *
 * @example
 * const hash = await client.attestDataHash({ did, dataHash });
 * await client.waitForReceipt({ hash });
 */
export const attestDataHash = async (
  context: ClientContext,
  { account, ...parameters }: AttestDataHashParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareAttestDataHash(context, parameters), { account });
