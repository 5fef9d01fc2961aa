import type { Job, JobOutcome } from "@app-registry/outbound/internal";
import { AppRegistryError, type Attestation } from "@app-registry/sdk";
import { getLatestBlockNumber, getRenewalTime } from "@app-registry/sdk/internal";
import type { Hash } from "viem";
import type { IssuerContext } from "../attest/issuerContext.ts";
import { statementKinds } from "../attest/statementKinds.ts";
import type { Sender } from "../sending/sender.ts";
import { IssuerSpendingCapError, IssuerStoreError } from "../sending/sendingErrors.ts";
import { checkAttestation, readOwnAttestation, type Verdict } from "./checkAttestation.ts";
import {
  type CheckClock,
  CONFIRMATION_DELAY,
  DAY,
  MINUTE,
  scheduleAfterNoResponse,
  scheduleAfterSuccess,
  scheduleConfirmation,
  scheduleRetry,
} from "./checkSchedule.ts";
import type { CheckableAttestation, RevalidationEvent, RevalidationStore } from "./revalidationStore.ts";

/** Context shared by the parts of a revalidation. */
export type RevalidationContext = {
  /** Context of the issuer, with a rate-limited fetcher. */
  issuing: IssuerContext;
  /** Job of the check. Its failures are the consecutive incomplete checks. */
  job: Job;
  sender: Sender;
  store: RevalidationStore;
  /** True if the issuer renews. A retired one can't, and in the mode `sign` the publishers do. */
  renews: boolean;
  onEvent: (event: RevalidationEvent) => void;
};

/**
 * Checks one attestation, then renews it, revokes it or schedules its next check.
 * @throws {HostBusyError} if its host must not be requested now. Then nothing has changed.
 */
export async function revalidate(
  context: RevalidationContext,
  attestation: CheckableAttestation,
  readClock: () => CheckClock,
): Promise<JobOutcome> {
  const { issuing, job } = context;
  const readAt = await getLatestBlockNumber(issuing);
  const own = await readOwnAttestation(issuing, attestation, readAt);
  // The attestation expired more than the grace period ago, lost a challenge, or was revoked by another process.
  if (!own) return removeTrackedAttestation(context, attestation, readAt);
  const verdict = await checkAttestation(issuing, attestation, readAt);
  const found = { attestation, own, readAt, clock: readClock() };
  if (verdict.outcome === "holds") return handleValid(context, found);
  if (verdict.outcome === "fails") return handleFailure(context, { ...found, verdict });
  const { now, period } = found.clock;
  const failures = verdict.outcome === "no-answer" ? job.failures + 1 : 0;
  const dueAt =
    verdict.outcome === "no-answer"
      ? scheduleAfterNoResponse(failures, now)
      : scheduleRetry(0.75 * period, now);
  return saveCheck(context, verdict, attestation, { dueAt, failures });
}

/** Removes an attestation from the store, unless it was written after a block. */
async function removeTrackedAttestation(
  { store, job }: RevalidationContext,
  attestation: CheckableAttestation,
  upTo: bigint,
): Promise<JobOutcome> {
  return (await store.remove(attestation, upTo)) ? "gone" : job;
}

type Found = { attestation: CheckableAttestation; own: Attestation; readAt: bigint; clock: CheckClock };

async function handleValid(
  context: RevalidationContext,
  { attestation, own, readAt, clock }: Found,
): Promise<JobOutcome> {
  const { issuing, store, sender, renews, onEvent } = context;
  const { now, lifetime } = clock;
  const holding = { ...attestation, heldAt: now, failedAt: undefined };
  const expiresAt = own.expiresAt * 1_000;
  const renewing = renews && now >= getRenewalTime(expiresAt, lifetime);
  const wait = Math.max(MINUTE, Math.min(DAY, (expiresAt - now) / 8));
  const dueAt = renewing ? scheduleRetry(wait, now) : scheduleAfterSuccess(expiresAt, clock);
  const next = await saveCheck(context, { outcome: "holds" }, holding, { dueAt, failures: 0 });
  if (!renewing) return next;

  const sent = await sendStatement(issuing, sender, { statement: "renewal", attestation, readAt });
  if (sent.status === "not-sent") {
    onEvent({ event: "attestation not renewed", ...toEventFields(attestation), reason: sent.reason });
    return { dueAt: scheduleRetry(Math.max(wait, sent.wait), now), failures: 0 };
  }
  if (sent.status === "pending") return next;
  const renewed = await readOwnAttestation(issuing, attestation, sent.blockNumber);
  const until = renewed ? renewed.expiresAt * 1_000 : expiresAt;
  await store.save({ ...holding, block: sent.blockNumber });
  const { hash } = sent;
  onEvent({ event: "attestation renewed", ...toEventFields(attestation), hash, expiresAt: toIso(until) });
  return { dueAt: scheduleAfterSuccess(until, clock), failures: 0 };
}

async function handleFailure(
  context: RevalidationContext,
  { attestation, readAt, clock, verdict }: Found & { verdict: Exclude<Verdict, { outcome: "holds" }> },
): Promise<JobOutcome> {
  const { issuing, sender, onEvent } = context;
  const { now } = clock;
  const failedAt = attestation.failedAt ?? now;
  const dueAt = scheduleConfirmation(failedAt);
  const next = await saveCheck(context, verdict, { ...attestation, failedAt }, { dueAt, failures: 0 });
  if (attestation.failedAt === undefined || now - failedAt < CONFIRMATION_DELAY) return next;

  const sent = await sendStatement(issuing, sender, { statement: "revocation", attestation, readAt });
  if (sent.status === "not-sent") {
    onEvent({ event: "attestation not revoked", ...toEventFields(attestation), reason: sent.reason });
  }
  if (sent.status !== "mined") return { dueAt: scheduleRetry(sent.wait, now), failures: 0 };
  const { code, reason } = verdict;
  onEvent({ event: "attestation revoked", ...toEventFields(attestation), hash: sent.hash, code, reason });
  return removeTrackedAttestation(context, attestation, sent.blockNumber);
}

/** Saves the result of a check. Called before a transaction is sent, so that the result survives a crash. */
async function saveCheck(
  { store, job, onEvent }: RevalidationContext,
  verdict: Verdict,
  attestation: CheckableAttestation,
  next: Pick<Job, "dueAt" | "failures">,
): Promise<JobOutcome> {
  await store.save(attestation);
  await store.queue.reschedule({ ...job, ...next });
  onEvent({
    event: "attestation checked",
    ...toEventFields(attestation),
    ...verdict,
    nextCheckAt: toIso(next.dueAt),
  });
  return next;
}

const toEventFields = ({ schema, did, subject }: CheckableAttestation) => ({ schema, did, subject });

const toIso = (time: number): string => new Date(time).toISOString();

/** Result of a renewal or revocation. `wait` is the time until the next attempt, in milliseconds. */
type StatementResult =
  | { status: "mined"; hash: Hash; blockNumber: bigint }
  | { status: "pending"; wait: number }
  | { status: "not-sent"; reason: string; wait: number };

/**
 * Sends the renewal or revocation of an attestation with the issuer's sender, in order, monitored and within the
 * spending cap. Waits for an open transaction instead of sending it twice.
 */
async function sendStatement(
  { client }: Pick<IssuerContext, "client">,
  sender: Sender,
  parameters: { statement: "renewal" | "revocation"; attestation: CheckableAttestation; readAt: bigint },
): Promise<StatementResult> {
  const { statement, attestation, readAt } = parameters;
  const { schema, did, subject } = attestation;
  const { prepareAttest, prepareRevoke } = statementKinds[schema];
  const call = (statement === "renewal" ? prepareAttest : prepareRevoke)(client, { did, subject });
  // Use the key of an attestation for a renewal, so that a concurrent request does not send the same transaction.
  const key = statement === "renewal" ? `${did} ${subject}` : `revoke ${did} ${subject}`;
  try {
    const sent = await sender.send({ key, call, readAt, spender: { purpose: statement } });
    if (sent.status === "mined") return sent;
    if (sent.status === "pending") return { status: "pending", wait: 10 * MINUTE };
    return { status: "not-sent", reason: sent.reason, wait: 60 * MINUTE };
  } catch (error) {
    if (!(error instanceof AppRegistryError) || error instanceof IssuerStoreError) throw error;
    const wait = error instanceof IssuerSpendingCapError ? error.retryAfter * 1_000 : 15 * MINUTE;
    return { status: "not-sent", reason: error.shortMessage, wait };
  }
}
