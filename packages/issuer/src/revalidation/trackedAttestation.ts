import type { JobKey, NewJob } from "@app-registry/outbound/internal";
import type { CanonicalDid } from "@app-registry/sdk";
import type { Hex } from "viem";
import type { AttestationSchema } from "../verifyAndAttestSchema.ts";

/** Names an attestation of the issuer; `subject` is the wallet, with its checksum, or the dataHash. */
export type AttestationKey = { schema: AttestationSchema; didHash: Hex; subject: Hex };

/** An attestation of the issuer and what its checks said. Times are Unix milliseconds. */
export type TrackedAttestation = AttestationKey & {
  /** The block in which it was written or renewed last. */
  block: bigint;
  /** When the check held last; at first, since when it is attested. */
  heldAt: number;
  /** When it failed first since it held. */
  failedAt: number | undefined;
};

/** One that can be checked: the chain knows the DID's hash alone. */
export type CheckableAttestation = TrackedAttestation & { did: CanonicalDid };

/** The job that checks an attestation. */
export const toJobKey = ({ schema, didHash, subject }: AttestationKey): JobKey => ({
  kind: schema,
  key: `${didHash} ${subject}`,
});

/** The attestation that a job checks. */
export function parseJobKey({ kind, key }: JobKey): AttestationKey {
  const [didHash, subject] = key.split(" ") as [Hex, Hex];
  return { schema: kind as AttestationSchema, didHash, subject };
}

/**
 * A check at a time. It waits in a line of its own until it meets its host busy, because only the check itself knows whom
 * it asks.
 */
export const createCheckJob = (key: AttestationKey, dueAt: number): NewJob => ({
  ...toJobKey(key),
  host: key.didHash,
  priority: 0,
  dueAt,
});
