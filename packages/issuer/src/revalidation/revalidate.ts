import type { Job, Outcome } from "@app-registry/outbound/internal";
import type { Attestation } from "@app-registry/sdk";
import { latestBlock, renewableFrom } from "@app-registry/sdk/internal";
import type { IssuerContext } from "../issuerContext.ts";
import type { Sender } from "../sending/sender.ts";
import { checkAttestation, readOwnAttestation, type Verdict } from "./checkAttestation.ts";
import {
  type CheckClock,
  CONFIRMED_AFTER,
  nextCheckAfterFailure,
  nextCheckAfterHold,
  nextCheckAfterSilence,
  nextTry,
} from "./checkTimes.ts";
import type { CheckableAttestation } from "./rememberedAttestation.ts";
import type { RevalidationEvent } from "./revalidationEvent.ts";
import type { RevalidationStore } from "./revalidationStore.ts";
import { sendStatement } from "./sendStatement.ts";

/** What the parts of a revalidation share. */
export type RevalidationContext = {
  /** The issuer's, with a fetcher that is polite to hosts. */
  issuing: IssuerContext;
  /** The check in the queue. Its failures are the checks without an answer since the last one with an answer. */
  job: Job;
  sender: Sender;
  store: RevalidationStore;
  /** Whether the issuer renews: one that was retired can't, and in the mode `sign` publishers do. */
  renews: boolean;
  onEvent: (event: RevalidationEvent) => void;
};

const MINUTE = 60_000;
const DAY = 86_400_000;

/**
 * Checks one attestation and does what the check calls for: renews it, revokes it, or says when to look again.
 * @throws HostBusyError, with nothing done, when its host is not to be asked now.
 */
export async function revalidate(
  context: RevalidationContext,
  attestation: CheckableAttestation,
  readClock: () => CheckClock,
): Promise<Outcome> {
  const { issuing, job } = context;
  const readAt = await latestBlock(issuing);
  const own = await readOwnAttestation(issuing, attestation, readAt);
  // It expired more than the grace ago, lost a challenge, or another process with this key revoked it.
  if (!own) return forget(context, attestation, readAt);
  const verdict = await checkAttestation(issuing, attestation, readAt);
  const found = { attestation, own, readAt, clock: readClock() };
  if (verdict.outcome === "holds") return held(context, found);
  if (verdict.outcome === "fails") return failed(context, { ...found, verdict });
  const { now, period } = found.clock;
  const failures = verdict.outcome === "no-answer" ? job.failures + 1 : 0;
  const dueAt =
    verdict.outcome === "no-answer" ? nextCheckAfterSilence(failures, now) : nextTry(0.75 * period, now);
  return putDown(context, verdict, attestation, { dueAt, failures });
}

/** Forgets an attestation, unless it was written after a block. */
async function forget(
  { store, job }: RevalidationContext,
  attestation: CheckableAttestation,
  upTo: bigint,
): Promise<Outcome> {
  return (await store.remove(attestation, upTo)) ? "gone" : job;
}

type Found = { attestation: CheckableAttestation; own: Attestation; readAt: bigint; clock: CheckClock };

async function held(
  context: RevalidationContext,
  { attestation, own, readAt, clock }: Found,
): Promise<Outcome> {
  const { issuing, store, sender, renews, onEvent } = context;
  const { now, lifetime } = clock;
  const holding = { ...attestation, heldAt: now, failedAt: undefined };
  const expiresAt = own.expiresAt * 1_000;
  const renewing = renews && now >= renewableFrom(expiresAt, lifetime);
  const wait = Math.max(MINUTE, Math.min(DAY, (expiresAt - now) / 8));
  const dueAt = renewing ? nextTry(wait, now) : nextCheckAfterHold(expiresAt, clock);
  const next = await putDown(context, { outcome: "holds" }, holding, { dueAt, failures: 0 });
  if (!renewing) return next;

  const sent = await sendStatement(issuing, sender, { statement: "renewal", attestation, readAt });
  if (sent.status === "not-sent") {
    onEvent({ event: "attestation not renewed", ...nameOf(attestation), reason: sent.reason });
    return { dueAt: nextTry(Math.max(wait, sent.wait), now), failures: 0 };
  }
  if (sent.status === "pending") return next;
  const renewed = await readOwnAttestation(issuing, attestation, sent.blockNumber);
  const until = renewed ? renewed.expiresAt * 1_000 : expiresAt;
  await store.save({ ...holding, block: sent.blockNumber });
  const { hash } = sent;
  onEvent({ event: "attestation renewed", ...nameOf(attestation), hash, expiresAt: toIso(until) });
  return { dueAt: nextCheckAfterHold(until, clock), failures: 0 };
}

async function failed(
  context: RevalidationContext,
  { attestation, readAt, clock, verdict }: Found & { verdict: Exclude<Verdict, { outcome: "holds" }> },
): Promise<Outcome> {
  const { issuing, sender, onEvent } = context;
  const { now } = clock;
  const failedAt = attestation.failedAt ?? now;
  const dueAt = nextCheckAfterFailure(failedAt);
  const next = await putDown(context, verdict, { ...attestation, failedAt }, { dueAt, failures: 0 });
  if (attestation.failedAt === undefined || now - failedAt < CONFIRMED_AFTER) return next;

  const sent = await sendStatement(issuing, sender, { statement: "revocation", attestation, readAt });
  if (sent.status === "not-sent") {
    onEvent({ event: "attestation not revoked", ...nameOf(attestation), reason: sent.reason });
  }
  if (sent.status !== "mined") return { dueAt: nextTry(sent.wait, now), failures: 0 };
  const { code, reason } = verdict;
  onEvent({ event: "attestation revoked", ...nameOf(attestation), hash: sent.hash, code, reason });
  return forget(context, attestation, sent.blockNumber);
}

/** Put down before anything is sent: a process that ends now is followed by one that knows of the check. */
async function putDown(
  { store, job, onEvent }: RevalidationContext,
  verdict: Verdict,
  attestation: CheckableAttestation,
  next: Pick<Job, "dueAt" | "failures">,
): Promise<Outcome> {
  await store.save(attestation);
  await store.queue.settle({ ...job, ...next });
  onEvent({
    event: "attestation checked",
    ...nameOf(attestation),
    ...verdict,
    nextCheckAt: toIso(next.dueAt),
  });
  return next;
}

const nameOf = ({ schema, did, subject }: CheckableAttestation) => ({ schema, did, subject });

const toIso = (time: number): string => new Date(time).toISOString();
