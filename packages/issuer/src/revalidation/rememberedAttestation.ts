import type { CanonicalDid } from "@app-registry/sdk";
import type { Hex } from "viem";
import type { AttestationSchema } from "../verifyAndAttestSchema.ts";

/** Names an attestation of the issuer; `subject` is the wallet, with its checksum, or the dataHash. */
export type AttestationKey = { schema: AttestationSchema; didHash: Hex; subject: Hex };

/** An attestation of the issuer and what its checks said. Times are Unix milliseconds. */
export type RememberedAttestation = AttestationKey & {
  /** The block in which it was written or renewed last. */
  block: bigint;
  /** When the check held last; at first, since when it is attested. */
  heldAt: number;
  /** When it failed first since it held. */
  failedAt: number | undefined;
  /** Checks without an answer since the last one with an answer. */
  unanswered: number;
  nextCheckAt: number;
};

/** One that can be checked: the chain knows the DID's hash alone. */
export type CheckableAttestation = RememberedAttestation & { did: CanonicalDid };

export const toKey = ({ schema, didHash, subject }: AttestationKey): string =>
  `${schema} ${didHash} ${subject}`;
