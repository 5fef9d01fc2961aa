import type { HostTurns } from "@app-registry/outbound/internal";
import type { CanonicalDid } from "@app-registry/sdk";
import type { Hex } from "viem";
import type { AttestationKey, CheckableAttestation, RememberedAttestation } from "./rememberedAttestation.ts";

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
export type RevalidationStore = HostTurns & {
  /** Runs a task unless one runs already, among all processes that share the store; undefined then. */
  unlessTaken<T>(task: () => Promise<T>): Promise<T | undefined>;
  /** The block up to which the chain's events are in here. */
  readCursor(): Promise<bigint | undefined>;
  /** Says up to which block the events are in here. */
  writeCursor(block: bigint): Promise<void>;
  /** Keeps a DID, so that attestations of its hash can be checked. */
  rememberDid(did: CanonicalDid): Promise<void>;
  /**
   * Adds an attestation, or has it begin anew when the one in here was written in an earlier block.
   * @returns true when it was not in here.
   */
  add(attestation: RememberedAttestation): Promise<boolean>;
  /** Forgets one that was written up to a block. */
  remove(key: AttestationKey, upTo: bigint): Promise<void>;
  /** Puts down what a check said. */
  save(attestation: RememberedAttestation): Promise<void>;
  /** Makes the other controllers of a DID due, as far as they held before a time only. */
  makeDue(parameters: { didHash: Hex; except: Hex; heldBefore: number; at: number }): Promise<void>;
  /** The attestations that are due and whose DID is known, longest due first. */
  listDue(now: number, limit: number): Promise<CheckableAttestation[]>;
  /** When a host is free, or was. */
  hostFreeAt(host: string): Promise<number>;
  /** Counts the attestations by what is known of them at a time. */
  count(now: number): Promise<RevalidationCounts>;
};

/**
 * Opens the store of one issuer on one resolver; `scope` names both.
 * @throws IssuerStoreError when it can't be reached.
 */
export type OpenRevalidationStore = (scope: string) => Promise<RevalidationStore>;

/** How long an attestation may be due before it is told as overdue, in milliseconds. */
export const OVERDUE_AFTER = 86_400_000;
