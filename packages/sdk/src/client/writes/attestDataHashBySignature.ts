import type { Hash, Hex } from "viem";
import { type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { type IssuerSignature, toIssuerSignature } from "../issuerSignature.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";
import { type Expiry, toExpiresAt } from "../times.ts";

export type AttestDataHashBySignatureParameters = Expiry & {
  did: string;
  dataHash: Hex;
  signature: IssuerSignature;
};

/**
 * Builds the call that {@link attestDataHashBySignature} sends.
 *
 * @example
 * const call = client.prepareAttestDataHashBySignature({ did, dataHash, signature });
 * call.functionName; // "attestDataHashBySignature"
 */
export const prepareAttestDataHashBySignature = (
  context: ClientContext,
  { did, dataHash, signature, ...expiry }: AttestDataHashBySignatureParameters,
) =>
  ({
    ...resolverContract(context),
    functionName: "attestDataHashBySignature",
    args: [
      { didHash: toDidHash(did), dataHash, expiresAt: toExpiresAt(expiry) },
      toIssuerSignature(signature),
    ],
  }) as const;

/**
 * Submits an issuer's signed attestation of a dataHash. Any account can send it and pays the gas.
 *
 * @example
 * const hash = await client.attestDataHashBySignature({ did, dataHash, signature });
 * await client.waitForReceipt({ hash });
 */
export const attestDataHashBySignature = async (
  context: ClientContext,
  { account, ...parameters }: AttestDataHashBySignatureParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareAttestDataHashBySignature(context, parameters), { account });
