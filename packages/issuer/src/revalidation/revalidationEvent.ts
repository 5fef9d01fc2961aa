import type { CanonicalDid } from "@app-registry/sdk";
import type { Hash, Hex } from "viem";
import type { AttestationSchema } from "../attest/verifyAndAttestSchema.ts";

/** Attestation that an event refers to. */
type EventSubject = { schema: AttestationSchema; did: CanonicalDid; subject: Hex };

/** Events of a revalidation for the operator's structured log. Times are ISO 8601. */
export type RevalidationEvent =
  | (EventSubject & {
      event: "attestation checked";
      outcome: "holds" | "fails" | "no-answer" | "lapses";
      /** Stable code of the reason, and below the reason in one or two sentences. Absent for the outcome `holds`. */
      code?: string;
      reason?: string;
      nextCheckAt: string;
    })
  | (EventSubject & { event: "attestation renewed"; hash: Hash; expiresAt: string })
  | (EventSubject & { event: "attestation revoked"; hash: Hash; code: string; reason: string })
  /** Renewal or revocation that could not be sent and will be retried. Reported once per attestation. */
  | (EventSubject & { event: "attestation not renewed" | "attestation not revoked"; reason: string })
  /** The issuer was retired: it no longer renews, but still revokes. Reported once. */
  | { event: "issuer retired"; reason: string }
  /** The chain or the database does not respond, or the issuer is distrusted. Reported once until a pass succeeds. */
  | { event: "revalidation interrupted"; reason: string };
