import type { SignedAttestation } from "@app-registry/sdk";
import { AppRegistryError } from "@app-registry/sdk";
import type { Hash } from "viem";
import type { VerifyAndAttestResult } from "./verifyAndAttestSchema.ts";

/** Outcome of one schema of a request. */
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
