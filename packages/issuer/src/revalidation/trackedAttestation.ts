import type { JobKey, NewJob } from "@app-registry/outbound/internal";
import type { CanonicalDid } from "@app-registry/sdk";
import type { Hex } from "viem";
import type { AttestationSchema } from "../attest/verifyAndAttestSchema.ts";

/** Identifier of an attestation of the issuer. `subject` is the checksummed wallet, or the dataHash. */
export type AttestationKey = { schema: AttestationSchema; didHash: Hex; subject: Hex };

/** Attestation of the issuer with the results of its checks. Times are Unix milliseconds. */
export type TrackedAttestation = AttestationKey & {
  /** Block of the latest attestation or renewal. */
  block: bigint;
  /** Time of the latest successful check, initially that of the attestation. */
  heldAt: number;
  /** Time of the first failed check since then. */
  failedAt: number | undefined;
};

/** Attestation whose DID is known, so that it can be checked. The chain has only the hash of the DID. */
export type CheckableAttestation = TrackedAttestation & { did: CanonicalDid };

/** Returns the key of the job that checks an attestation. */
export const toJobKey = ({ schema, didHash, subject }: AttestationKey): JobKey => ({
  kind: schema,
  key: `${didHash} ${subject}`,
});

/** Returns the attestation that a job checks. */
export function parseJobKey({ kind, key }: JobKey): AttestationKey {
  const [didHash, subject] = key.split(" ") as [Hex, Hex];
  return { schema: kind as AttestationSchema, didHash, subject };
}

/**
 * Creates the job of a check. Its host is initially the hash of the DID, because only the check itself determines which
 * host it requests. It is moved to that host when it finds the host busy.
 */
export const createCheckJob = (key: AttestationKey, dueAt: number): NewJob => ({
  ...toJobKey(key),
  host: key.didHash,
  priority: 0,
  dueAt,
});
