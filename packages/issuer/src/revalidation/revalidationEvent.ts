import type { CanonicalDid } from "@app-registry/sdk";
import type { Hash, Hex } from "viem";
import type { AttestationSchema } from "../verifyAndAttestSchema.ts";

/** The attestation that an event is of. */
type EventSubject = { schema: AttestationSchema; did: CanonicalDid; subject: Hex };

/** What an operator wants to know of a revalidation, for a structured log. Times are ISO 8601. */
export type RevalidationEvent =
  | (EventSubject & {
      event: "attestation checked";
      outcome: "holds" | "fails" | "no-answer" | "lapses";
      /** Stable name of the reason, and one or two sentences; absent when it holds. */
      code?: string;
      reason?: string;
      nextCheckAt: string;
    })
  | (EventSubject & { event: "attestation renewed"; hash: Hash; expiresAt: string })
  | (EventSubject & { event: "attestation revoked"; hash: Hash; code: string; reason: string })
  /** It is tried again; told once of an attestation. */
  | (EventSubject & { event: "attestation not renewed" | "attestation not revoked"; reason: string })
  /** The issuer renews nothing any more, and goes on revoking. Told once. */
  | { event: "issuer retired"; reason: string }
  /** The chain or the database does not answer, or the issuer is distrusted. Told once, until it works again. */
  | { event: "revalidation interrupted"; reason: string };
