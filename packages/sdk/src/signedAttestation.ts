import type { Hash } from "viem";
import * as z from "zod/mini";
import type { PreparedCall } from "./client/context.ts";
import type { AppRegistryClient } from "./client/createAppRegistryClient.ts";
import { addressSchema, bytesSchema, countSchema, described, hashSchema } from "./schemas.ts";

const seconds = described(countSchema, "Unix seconds.");

const issuerSignatureSchema = described(
  z.object({
    issuer: addressSchema,
    statedAt: described(
      seconds,
      "When it was signed, in Unix seconds. An issuer's newest statement replaces older ones.",
    ),
    deadline: described(seconds, "Deadline for using the signature, in Unix seconds."),
    signature: bytesSchema,
  }),
  "The issuer's EIP-712 signature with what the resolver needs to check it.",
);

const statement = {
  did: z.string(),
  expiresAt: described(seconds, "When the attestation expires. 0 means the maximum lifetime from signing."),
  signature: issuerSignatureSchema,
};

/**
 * Attestation that an issuer signed and another account submits: the arguments of the resolver's `attestDIDBySignature`
 * or `attestDataHashBySignature`.
 */
export const signedAttestationSchema = z.discriminatedUnion("schema", [
  described(
    z.object({ schema: z.literal("did-ownership"), controller: addressSchema, ...statement }),
    "Arguments for the resolver's attestDIDBySignature.",
  ),
  described(
    z.object({ schema: z.literal("data-hash"), dataHash: hashSchema, ...statement }),
    "Arguments for the resolver's attestDataHashBySignature.",
  ),
]);

export type SignedAttestation = z.output<typeof signedAttestationSchema>;

/**
 * Builds the call that submits a signed attestation to the resolver.
 *
 * @example
 * const call = prepareSignedAttestation(client, signedAttestation);
 * call.functionName; // "attestDIDBySignature"
 */
export function prepareSignedAttestation(client: AppRegistryClient, signed: SignedAttestation): PreparedCall {
  return signed.schema === "did-ownership"
    ? client.prepareAttestDidBySignature(signed)
    : client.prepareAttestDataHashBySignature(signed);
}

/**
 * Submits a signed attestation with the client's wallet, which pays the gas. Returns the transaction hash.
 *
 * @example
 * const hash = await sendSignedAttestation(client, signedAttestation);
 * await client.waitForReceipt({ hash });
 */
export async function sendSignedAttestation(
  client: AppRegistryClient,
  signed: SignedAttestation,
): Promise<Hash> {
  return signed.schema === "did-ownership"
    ? client.attestDidBySignature(signed)
    : client.attestDataHashBySignature(signed);
}
