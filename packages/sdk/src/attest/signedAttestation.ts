import type { Hash } from "viem";
import * as z from "zod";
import type { AppRegistryClient, IssuerSignature, PreparedCall } from "../client/index.ts";
import { addressSchema, hashSchema } from "../search/hexSchemas.ts";

const seconds = z.int().nonnegative().describe("Unix seconds.");

const issuerSignatureSchema = z
  .object({
    issuer: addressSchema,
    epoch: z.int().positive().describe("Number of the issuer's authorisation under which it signed."),
    issuedAt: seconds,
    deadline: z.int().nonnegative().describe("Last second at which it may be used, Unix seconds."),
    nonce: z
      .string()
      .regex(/^\d{1,78}$/)
      .describe("uint256 in decimal; each is used once."),
    signature: z.templateLiteral(["0x", z.string().regex(/^([0-9a-f]{2})+$/i)]),
  })
  .describe("The issuer's EIP-712 signature with what the resolver needs to check it.");

const statement = {
  did: z.string(),
  expiresAt: seconds.describe("End of the attestation; 0: the longest lifetime, from when it is sent."),
  signature: issuerSignatureSchema,
};

/**
 * An attestation that an issuer signed and somebody else sends: the arguments of the resolver's
 * `attestDIDBySignature` or `attestDataHashBySignature`.
 */
export const signedAttestationSchema = z.discriminatedUnion("schema", [
  z
    .object({ schema: z.literal("did-ownership"), controller: addressSchema, ...statement })
    .describe("For attestDIDBySignature of the resolver."),
  z
    .object({ schema: z.literal("data-hash"), dataHash: hashSchema, ...statement })
    .describe("For attestDataHashBySignature of the resolver."),
]);

export type SignedAttestation = z.output<typeof signedAttestationSchema>;

/** The signature as the client's functions take it. */
const toSignature = ({ nonce, ...signature }: SignedAttestation["signature"]): IssuerSignature => ({
  ...signature,
  nonce: BigInt(nonce),
});

/**
 * Builds the call that brings a signed attestation to the resolver.
 *
 * @example
 * const call = prepareSignedAttestation(client, signedAttestation);
 * call.functionName; // "attestDIDBySignature"
 */
export function prepareSignedAttestation(
  client: AppRegistryClient,
  { signature, ...signed }: SignedAttestation,
): PreparedCall {
  return signed.schema === "did-ownership"
    ? client.prepareAttestDidBySignature({ ...signed, signature: toSignature(signature) })
    : client.prepareAttestDataHashBySignature({ ...signed, signature: toSignature(signature) });
}

/**
 * Sends a signed attestation with the client's wallet, which pays for it, and returns the transaction's hash.
 *
 * @example
 * const hash = await sendSignedAttestation(client, signedAttestation);
 * await client.waitForReceipt({ hash });
 */
export async function sendSignedAttestation(
  client: AppRegistryClient,
  { signature, ...signed }: SignedAttestation,
): Promise<Hash> {
  return signed.schema === "did-ownership"
    ? client.attestDidBySignature({ ...signed, signature: toSignature(signature) })
    : client.attestDataHashBySignature({ ...signed, signature: toSignature(signature) });
}
