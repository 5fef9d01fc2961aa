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
  /** Sends revocations, and renewals when the issuer sends attestations itself. */
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
): Promise<void> {
  const { issuing, store } = context;
  const readAt = await latestBlock(issuing);
  const own = await readOwnAttestation(issuing, attestation, readAt);
  // Expired for too long, ousted, or revoked by somebody else with this key.
  if (!own) return store.remove(attestation, readAt);
  const verdict = await checkAttestation(issuing, attestation, readAt);
  const found = { attestation, own, readAt, clock: readClock() };
  if (verdict.outcome === "holds") return held(context, found);
  if (verdict.outcome === "fails") return failed(context, { ...found, verdict });
  const { now, period } = found.clock;
  const unanswered = verdict.outcome === "no-answer" ? attestation.unanswered + 1 : 0;
  const nextCheckAt =
    verdict.outcome === "no-answer" ? nextCheckAfterSilence(unanswered, now) : nextTry(0.75 * period, now);
  return putDown(context, verdict, { ...attestation, unanswered, nextCheckAt });
}

type Found = { attestation: CheckableAttestation; own: Attestation; readAt: bigint; clock: CheckClock };

async function held(context: RevalidationContext, { attestation, own, readAt, clock }: Found): Promise<void> {
  const { issuing, store, sender, renews, onEvent } = context;
  const { now, lifetime } = clock;
  const holding = { ...attestation, heldAt: now, failedAt: undefined, unanswered: 0 };
  const expiresAt = own.expiresAt * 1_000;
  const renewing = renews && now >= renewableFrom(expiresAt, lifetime);
  const wait = Math.max(MINUTE, Math.min(DAY, (expiresAt - now) / 8));
  const nextCheckAt = renewing ? nextTry(wait, now) : nextCheckAfterHold(expiresAt, clock);
  await putDown(context, { outcome: "holds" }, { ...holding, nextCheckAt });
  if (!renewing) return;

  const sent = await sendStatement(issuing, sender, { statement: "renewal", attestation, readAt });
  if (sent.status === "not-sent") {
    onEvent({ event: "attestation not renewed", ...nameOf(attestation), reason: sent.reason });
    return store.save({ ...holding, nextCheckAt: nextTry(Math.max(wait, sent.wait), now) });
  }
  if (sent.status === "pending") return;
  const renewed = await readOwnAttestation(issuing, attestation, sent.blockNumber);
  const until = renewed ? renewed.expiresAt * 1_000 : expiresAt;
  const block = sent.blockNumber;
  await store.save({ ...holding, block, nextCheckAt: nextCheckAfterHold(until, clock) });
  const { hash } = sent;
  onEvent({ event: "attestation renewed", ...nameOf(attestation), hash, expiresAt: toIso(until) });
}

async function failed(
  context: RevalidationContext,
  { attestation, readAt, clock, verdict }: Found & { verdict: Exclude<Verdict, { outcome: "holds" }> },
): Promise<void> {
  const { issuing, store, sender, onEvent } = context;
  const { now } = clock;
  const failedAt = attestation.failedAt ?? now;
  const failing = { ...attestation, failedAt, unanswered: 0 };
  await putDown(context, verdict, { ...failing, nextCheckAt: nextCheckAfterFailure(failedAt) });
  if (attestation.failedAt === undefined || now - failedAt < CONFIRMED_AFTER) return;

  const sent = await sendStatement(issuing, sender, { statement: "revocation", attestation, readAt });
  if (sent.status === "not-sent") {
    onEvent({ event: "attestation not revoked", ...nameOf(attestation), reason: sent.reason });
  }
  if (sent.status !== "mined") return store.save({ ...failing, nextCheckAt: nextTry(sent.wait, now) });
  await store.remove(attestation, sent.blockNumber);
  const { code, reason } = verdict;
  onEvent({ event: "attestation revoked", ...nameOf(attestation), hash: sent.hash, code, reason });
}

/** Put down before anything is sent: a process that ends now is followed by one that knows of the check. */
async function putDown(
  { store, onEvent }: RevalidationContext,
  verdict: Verdict,
  attestation: CheckableAttestation,
): Promise<void> {
  await store.save(attestation);
  const nextCheckAt = toIso(attestation.nextCheckAt);
  onEvent({ event: "attestation checked", ...nameOf(attestation), ...verdict, nextCheckAt });
}

const nameOf = ({ schema, did, subject }: CheckableAttestation) => ({ schema, did, subject });

const toIso = (time: number): string => new Date(time).toISOString();
