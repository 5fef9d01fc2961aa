import type { JobQueue } from "@app-registry/outbound/internal";
import type { CanonicalDid } from "@app-registry/sdk";
import type { Hex } from "viem";
import type { AttestationKey, TrackedAttestation } from "./trackedAttestation.ts";

/** Numbers of attestations in a revalidation, by the state of their checks. */
export type RevalidationCounts = {
  /** All attestations in the store. */
  attestations: number;
  /** Due for a check. */
  due: number;
  /** Due for more than a day. */
  overdue: number;
  /** Failed their latest complete check, and will be checked again. */
  failing: number;
  /** Could not be checked the last time. */
  unanswered: number;
  /** Can't be checked, because this issuer does not know the DID of the hash. They will expire. */
  unknownDids: number;
};

/**
 * Store of one issuer's attestations on one resolver. Everything except the times of checks and the DIDs of
 * unregistered services can be read from the chain again. Times are Unix milliseconds.
 */
export type RevalidationStore = {
  /** Queue with one job per attestation, and the leases of the hosts. */
  queue: JobQueue;
  /** Runs a task unless any process that shares the store is already running one. Then returns `undefined`. */
  unlessTaken<T>(task: () => Promise<T>): Promise<T | undefined>;
  /** Reads the block up to which events have been stored. */
  readCursor(): Promise<bigint | undefined>;
  /** Sets the block up to which events have been stored. */
  writeCursor(block: bigint): Promise<void>;
  /** Saves a DID, so that attestations of its hash can be checked. */
  saveDid(did: CanonicalDid): Promise<void>;
  /** Adds or replaces an attestation. */
  add(attestation: TrackedAttestation): Promise<void>;
  /** Reads an attestation, with its DID if known. */
  find(key: AttestationKey): Promise<(TrackedAttestation & { did: CanonicalDid | undefined }) | undefined>;
  /** Removes an attestation that was written up to a block. Returns false if it was written later. */
  remove(key: AttestationKey, upTo: bigint): Promise<boolean>;
  /** Saves the result of a check. Does nothing if the attestation was removed. */
  save(attestation: TrackedAttestation): Promise<void>;
  /** Lists the other controllers of a DID whose latest successful check was before a time. */
  listOthers(parameters: { didHash: Hex; except: Hex; heldBefore: number }): Promise<AttestationKey[]>;
  /** Counts the attestations. */
  count(): Promise<Pick<RevalidationCounts, "attestations" | "failing" | "unknownDids">>;
};

/**
 * Function that opens the store of one issuer on one resolver. `scope` identifies both.
 * @throws {IssuerStoreError} if the store can't be reached.
 */
export type OpenRevalidationStore = (scope: string) => Promise<RevalidationStore>;
