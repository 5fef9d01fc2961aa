import type { JobQueue } from "@app-registry/outbound/internal";
import type { CanonicalDid } from "@app-registry/sdk";
import type { Hex } from "viem";
import type { AttestationKey, TrackedAttestation } from "./trackedAttestation.ts";

/** What a revalidation has before it. */
export type RevalidationCounts = {
  /** Attestations that are remembered. */
  attestations: number;
  /** To be checked now. */
  due: number;
  /** Due for more than a day. */
  overdue: number;
  /** Failed their last check that was answered, and are asked again. */
  failing: number;
  /** Had no answer to their last check. */
  unanswered: number;
  /** Can't be checked, because nobody told this issuer's processes the DID behind the hash: they lapse. */
  unknownDids: number;
};

/**
 * What is remembered of the attestations of one issuer on one resolver. All of it but the times of checks can be read
 * from the chain again, with the DIDs of registered services. Times are Unix milliseconds.
 */
export type RevalidationStore = {
  /** When each attestation is checked, a job for each, and the turns of the hosts. */
  queue: JobQueue;
  /** Runs a task unless one runs already, among all processes that share the store; undefined then. */
  unlessTaken<T>(task: () => Promise<T>): Promise<T | undefined>;
  /** The block up to which the chain's events are in here. */
  readCursor(): Promise<bigint | undefined>;
  /** Says up to which block the events are in here. */
  writeCursor(block: bigint): Promise<void>;
  /** Keeps a DID, so that attestations of its hash can be checked. */
  saveDid(did: CanonicalDid): Promise<void>;
  /** Adds an attestation, or replaces what is known of it. */
  add(attestation: TrackedAttestation): Promise<void>;
  /** Reads an attestation, with its DID if that is known. */
  find(key: AttestationKey): Promise<(TrackedAttestation & { did: CanonicalDid | undefined }) | undefined>;
  /** Forgets one that was written up to a block. @returns false when it was written later. */
  remove(key: AttestationKey, upTo: bigint): Promise<boolean>;
  /** Puts down what a check said; nothing of one that is forgotten. */
  save(attestation: TrackedAttestation): Promise<void>;
  /** The other controllers of a DID that held before a time only. */
  listOthers(parameters: { didHash: Hex; except: Hex; heldBefore: number }): Promise<AttestationKey[]>;
  /** Counts the attestations. */
  count(): Promise<Pick<RevalidationCounts, "attestations" | "failing" | "unknownDids">>;
};

/**
 * Opens the store of one issuer on one resolver; `scope` names both.
 * @throws IssuerStoreError when it can't be reached.
 */
export type OpenRevalidationStore = (scope: string) => Promise<RevalidationStore>;

/** How long an attestation may be due before it is told as overdue, in milliseconds. */
export const OVERDUE_AFTER = 86_400_000;
