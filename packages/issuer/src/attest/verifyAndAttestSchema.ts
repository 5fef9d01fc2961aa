import {
  AppRegistryError,
  InvalidDidError,
  MAX_URL_LENGTH,
  normalizeDid,
  type SignedAttestation,
  signedAttestationSchema,
} from "@app-registry/sdk";
import { addressSchema, hashSchema } from "@app-registry/sdk/internal";
import { getAddress, type Hash } from "viem";
import * as z from "zod";

/** Schemas that an issuer attests: control of a DID by a wallet, and the metadata hash of a record. */
export const attestationSchemas = ["did-ownership", "data-hash"] as const;

export type AttestationSchema = (typeof attestationSchemas)[number];

const didSchema = z
  .string()
  .max(MAX_URL_LENGTH)
  .transform((text, context) => {
    try {
      return normalizeDid(text);
    } catch (error) {
      if (!(error instanceof InvalidDidError)) throw error;
      context.addIssue({ code: "custom", message: error.reason, params: { code: "invalid-did" } });
      return z.NEVER;
    }
  })
  .describe("A did:web or did:pkh. It is normalized automatically.");

/** Schema of the body of POST /api/verify-and-attest. */
export const verifyAndAttestRequestSchema = z.strictObject({
  did: didSchema,
  connectedAddress: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be an address (0x and 40 hex digits)")
    .transform((value) => getAddress(value.toLowerCase()))
    .describe("The wallet to attest as a controller of the DID."),
  requiredSchemas: z
    .array(z.enum(attestationSchemas))
    .min(1, "must contain at least one schema")
    .max(attestationSchemas.length)
    .refine((schemas) => new Set(schemas).size === schemas.length, "lists a schema twice")
    .default(["did-ownership"])
    .describe("What to attest. data-hash attests the current dataHash of a record of this DID."),
  major: z
    .int()
    .min(0)
    .max(255)
    .optional()
    .describe("Major version for data-hash. Default: the DID's latest major."),
});

export type VerifyAndAttestParameters = z.input<typeof verifyAndAttestRequestSchema>;
export type VerifyAndAttestRequest = z.output<typeof verifyAndAttestRequestSchema>;

const seconds = z.int().nonnegative().describe("Unix seconds.");

/** Schema of one live attestation in the resolver. */
export const attestationResultSchema = z.object({
  schema: z.enum(attestationSchemas),
  didHash: hashSchema,
  subject: z.string().describe("The wallet (did-ownership) or the dataHash (data-hash)."),
  issuer: addressSchema,
  statedAt: seconds.describe("When the issuer made its newest statement, in Unix seconds."),
  expiresAt: seconds,
  txHash: z.nullable(hashSchema).describe("null if the chain's logs from that time are unavailable."),
});

export type AttestationResult = z.output<typeof attestationResultSchema>;

const didControlWaySchema = z.object({
  way: z.string(),
  reason: z.string(),
  owner: z.optional(addressSchema).describe("The account that controls the contract instead."),
  missingRole: z.optional(hashSchema).describe("The contract's role that the wallet doesn't hold."),
});

const outcome = { attestations: z.array(attestationResultSchema), txHashes: z.array(hashSchema) };

const evidenceSchema = z.union([
  z.object({ kind: z.literal("did-document"), url: z.string(), methodId: z.string(), property: z.string() }),
  z.object({ kind: z.literal("dns-txt"), name: z.string(), record: z.string() }),
  z.object({
    kind: z.literal("contract-owner"),
    chainId: z.int(),
    contract: addressSchema,
    way: z.string(),
    through: z.optional(addressSchema).describe("The ProxyAdmin or beacon that this account owns."),
    blockNumber: z.int(),
  }),
]);

/** Schema of the response of POST /api/verify-and-attest, except for `failed`, which is a problem document. */
export const verifyAndAttestResponseSchema = z.discriminatedUnion("status", [
  z
    .object({ ok: z.literal(true), status: z.literal("already-attested"), ...outcome })
    .describe("Everything requested was already attested and is in effect. Nothing was sent."),
  z
    .object({
      ok: z.literal(true),
      status: z.literal("attested"),
      ...outcome,
      evidence: evidenceSchema.optional(),
    })
    .describe("Attested, and in effect in the resolver at the receipt's block."),
  z
    .object({
      ok: z.literal(false),
      status: z.literal("waiting"),
      ...outcome,
      evidence: evidenceSchema.optional(),
      controlsFrom: z
        .nullable(seconds)
        .describe("When the wallet's control takes effect if nobody acts, in Unix seconds; null if never."),
      blockedUntil: seconds
        .optional()
        .describe("When the block on the wallet ends, in Unix seconds. Absent if nobody blocked it."),
      detail: z.string(),
    })
    .describe(
      "Attested, but another account was attested for this DID before. Control takes effect after the waiting period, unless a controller blocks it.",
    ),
  z
    .object({
      ok: z.literal(false),
      status: z.literal("signed"),
      ...outcome,
      signatures: z.array(signedAttestationSchema).min(1),
      detail: z.string(),
    })
    .describe("The issuer signed but sends nothing. Submit the signatures to the resolver yourself."),
  z
    .object({ ok: z.literal(false), status: z.literal("pending"), ...outcome, detail: z.string() })
    .describe("Sent, not yet confirmed. Safe to retry: the request waits for the same transaction."),
]);

/** Schema of the additional fields of a problem document (RFC 9457) for `failed`. */
export const verifyAndAttestFailureSchema = z.object({
  ok: z.literal(false),
  status: z.literal("failed"),
  ...outcome,
  code: z.string().describe("Stable error code."),
  detail: z.string(),
  retryable: z.boolean(),
  attestableFrom: seconds
    .optional()
    .describe(
      "Earliest time at which the issuer can attest again after it revoked the attestation, in Unix seconds.",
    ),
  ways: z.array(didControlWaySchema).optional().describe("Every method that was tried, and why it failed."),
  publish: z
    .object({
      url: z.string(),
      document: z.string(),
      txt: z
        .object({ name: z.string(), record: z.string() })
        .optional()
        .describe("An equivalent DNS TXT record, if this server accepts one."),
    })
    .optional()
    .describe("The did.json to publish to prove that the wallet controls the DID."),
});

export type VerifyAndAttestFailure = z.output<typeof verifyAndAttestFailureSchema>;
export type VerifyAndAttestResult = z.output<typeof verifyAndAttestResponseSchema> | VerifyAndAttestFailure;

export type AttestationOutcome = WithoutOk<VerifyAndAttestResult>;

type WithoutOk<Result> = Result extends unknown ? Omit<Result, "ok"> : never;

/** Outcome of a schema that was not attested. */
export type FailedOutcome = Extract<AttestationOutcome, { status: "failed" }>;

export function createFailedOutcome(
  code: string,
  detail: string,
  options: Partial<Omit<FailedOutcome, "status" | "code" | "detail">> = {},
): FailedOutcome {
  return { status: "failed", code, detail, retryable: false, attestations: [], txHashes: [], ...options };
}

/** Creates the outcome of a transaction without a receipt. */
export function createPendingOutcome(hash: Hash): AttestationOutcome {
  const detail = "The attestation was sent but isn't confirmed yet. Repeat the same request in a moment.";
  return { status: "pending", detail, attestations: [], txHashes: [hash] };
}

/** Creates the outcome of a signature that the publisher has to submit. */
export function createSignedOutcome(signature: SignedAttestation): AttestationOutcome {
  const { issuer, deadline } = signature.signature;
  const until = new Date(deadline * 1_000).toISOString();
  const detail =
    `The issuer ${issuer} signed the attestation. Submit it to the resolver before ${until}, then repeat the same ` +
    "request.";
  return { status: "signed", signatures: [signature], detail, attestations: [], txHashes: [] };
}

/**
 * Returns the outcome of a renewal, or the present one if the renewal fails: the attestation is valid until it expires.
 */
export async function withRenewal(
  present: AttestationOutcome,
  renewal: Promise<AttestationOutcome>,
): Promise<AttestationOutcome> {
  const outcome = await renewal.catch((error: unknown) => {
    if (error instanceof AppRegistryError) return present;
    throw error;
  });
  return outcome.status === "failed" || outcome.status === "pending" ? present : outcome;
}

/** Statuses, the worst first. One failed schema makes the whole request fail. */
const order = ["failed", "pending", "signed", "waiting", "attested", "already-attested"] as const;

/** Combines the outcomes of all schemas of a request, with all attestations and transactions. */
export function combineOutcomes(outcomes: readonly AttestationOutcome[]): VerifyAndAttestResult {
  const worst = [...outcomes].sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))[0];
  if (!worst) throw new Error("A request names at least one schema");
  const attestations = outcomes.flatMap((outcome) => outcome.attestations);
  const txHashes = outcomes.flatMap((outcome) => outcome.txHashes);
  const ok = worst.status === "already-attested" || worst.status === "attested";
  return { ...worst, ok, attestations, txHashes } as VerifyAndAttestResult;
}
