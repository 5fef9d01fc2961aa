import type { SignedAttestation } from "@app-registry/sdk";
import { AppRegistryError } from "@app-registry/sdk";
import type { Hash } from "viem";
import type { DidControlAttempt, DidControlEvidence, DidDocumentToPublish } from "./didControl.ts";
import type { AttestationResult, VerifyAndAttestResult } from "./verifyAndAttestSchema.ts";

/** What came of one schema of a request. */
export type AttestationOutcome = { attestations: AttestationResult[]; txHashes: Hash[] } & (
  | { status: "already-attested" }
  | { status: "attested"; evidence?: DidControlEvidence }
  | {
      status: "waiting";
      controlsFrom: number | null;
      blockedUntil?: number;
      detail: string;
      evidence?: DidControlEvidence;
    }
  | { status: "signed"; signatures: SignedAttestation[]; detail: string }
  | { status: "pending"; detail: string }
  | {
      status: "failed";
      code: string;
      detail: string;
      retryable: boolean;
      ways?: DidControlAttempt[];
      publish?: DidDocumentToPublish;
      /** Unix seconds; for `recently-revoked`. */
      attestableFrom?: number;
    }
);

/** Not attested. */
export type FailedOutcome = Extract<AttestationOutcome, { status: "failed" }>;

export function createFailedOutcome(
  code: string,
  detail: string,
  options: {
    retryable?: boolean;
    ways?: DidControlAttempt[];
    publish?: DidDocumentToPublish;
    attestableFrom?: number;
    attestations?: AttestationResult[];
    txHashes?: Hash[];
  } = {},
): FailedOutcome {
  return { status: "failed", code, detail, retryable: false, attestations: [], txHashes: [], ...options };
}

/** Sent, and no receipt yet. */
export function createPendingOutcome(hash: Hash): AttestationOutcome {
  const detail = "The attestation was sent but isn't confirmed yet. Repeat the same request in a moment.";
  return { status: "pending", detail, attestations: [], txHashes: [hash] };
}

/** Signed for the publisher to send. */
export function createSignedOutcome(signature: SignedAttestation): AttestationOutcome {
  const { issuer, deadline } = signature.signature;
  const until = new Date(deadline * 1_000).toISOString();
  const detail =
    `The issuer ${issuer} signed the attestation. Submit it to the resolver before ${until}, then repeat the same ` +
    "request.";
  return { status: "signed", signatures: [signature], detail, attestations: [], txHashes: [] };
}

/** What is attested stays the answer when it can't be renewed now: it is there until its expiry. */
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

/** Worst first: one schema that failed makes the whole request fail. */
const order = ["failed", "pending", "signed", "waiting", "attested", "already-attested"] as const;

/** One answer for all schemas of a request, with everything that was attested and sent. */
export function combineOutcomes(outcomes: readonly AttestationOutcome[]): VerifyAndAttestResult {
  const worst = [...outcomes].sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))[0];
  if (!worst) throw new Error("A request names at least one schema");
  const attestations = outcomes.flatMap((outcome) => outcome.attestations);
  const txHashes = outcomes.flatMap((outcome) => outcome.txHashes);
  const ok = worst.status === "already-attested" || worst.status === "attested";
  return { ...worst, ok, attestations, txHashes } as VerifyAndAttestResult;
}
