import type { Address, Hash } from "viem";
import { type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { type IssuerSignature, toIssuerSignature } from "../issuerSignature.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";
import { type Expiry, toExpiresAt } from "../times.ts";

export type AttestDidBySignatureParameters = Expiry & {
  did: string;
  controller: Address;
  signature: IssuerSignature;
};

/**
 * Builds the call that {@link attestDidBySignature} sends.
 *
 * @example
 * const call = client.prepareAttestDidBySignature({ did, controller, signature });
 * call.functionName; // "attestDIDBySignature"
 */
export const prepareAttestDidBySignature = (
  context: ClientContext,
  { did, controller, signature, ...expiry }: AttestDidBySignatureParameters,
) =>
  ({
    ...resolverContract(context),
    functionName: "attestDIDBySignature",
    args: [
      { didHash: toDidHash(did), controller, expiresAt: toExpiresAt(expiry) },
      toIssuerSignature(signature),
    ],
  }) as const;

/**
 * Submits an issuer's signed attestation of a controller. Any account can send it and pays the gas.
 *
 * @example
 * const hash = await client.attestDidBySignature({ did, controller, signature });
 * await client.waitForReceipt({ hash });
 */
export const attestDidBySignature = async (
  context: ClientContext,
  { account, ...parameters }: AttestDidBySignatureParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareAttestDidBySignature(context, parameters), { account });
