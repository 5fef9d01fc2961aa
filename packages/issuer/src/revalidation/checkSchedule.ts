import { retryDelay } from "@app-registry/outbound/internal";
import { RENEWAL_GRACE_SECONDS as GRACE_SECONDS } from "@app-registry/sdk";
import { getRenewalTime } from "@app-registry/sdk/internal";

/** Durations, in milliseconds. */
export const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Minimum time from a first failed check to the check that confirms it, in milliseconds. */
export const CONFIRMATION_DELAY = HOUR;

const GRACE = GRACE_SECONDS * 1_000;

/** Current time and the durations for scheduling, in milliseconds. */
export type CheckClock = {
  now: number;
  /** Maximum time between two checks of an attestation. */
  period: number;
  /** Maximum lifetime of an attestation. */
  lifetime: number;
};

/** Returns a random time between two times. */
const randomBetween = (from: number, to: number): number => Math.round(from + Math.random() * (to - from));

/**
 * Returns the time of the check after a successful one: early in the last quarter of the period, so that neither a busy
 * host nor downtime of this issuer makes it late, and in the first half of the renewal window at the latest.
 */
export function scheduleAfterSuccess(expiresAt: number, { now, period, lifetime }: CheckClock): number {
  const latest = now + 0.95 * period;
  const regular = randomBetween(now + 0.75 * period, latest);
  const renewable = getRenewalTime(expiresAt, lifetime);
  if (regular <= renewable || now >= renewable) return regular;
  return Math.max(now + MINUTE, randomBetween(renewable, Math.min(renewable + lifetime / 8, latest)));
}

/**
 * Returns the time of the first check of an attestation that was read from the chain. Checks that are overdue because
 * no process ran, or due immediately because of a short lifetime, are spread over a day, or over half the time left
 * until the attestation expires or can no longer be renewed.
 */
export function scheduleFirstCheck(provenAt: number, expiresAt: number, clock: CheckClock): number {
  const { now, period, lifetime } = clock;
  const next = scheduleAfterSuccess(expiresAt, { ...clock, now: provenAt });
  if (next > now && provenAt < getRenewalTime(expiresAt, lifetime)) return next;
  const spread = Math.min(DAY, period / 30);
  const left = (expiresAt > now ? expiresAt : expiresAt + GRACE) - now;
  return randomBetween(now, now + (left > 0 ? Math.min(spread, left / 2) : spread));
}

/** Returns the time of the check that confirms a first failure: an hour after it, plus up to ten minutes at random. */
export const scheduleConfirmation = (failedAt: number): number =>
  randomBetween(failedAt + CONFIRMATION_DELAY, failedAt + CONFIRMATION_DELAY + 10 * MINUTE);

/**
 * Returns the time of the check after `unanswered` consecutive incomplete checks: an hour later, doubling to two days.
 */
export function scheduleAfterNoResponse(unanswered: number, now: number): number {
  return now + Math.round(retryDelay(unanswered, { first: HOUR, longest: 2 * DAY }, Math.random));
}

/** Returns the time to retry a renewal or revocation that could not be sent or has no receipt. */
export function scheduleRetry(wait: number, now: number): number {
  return randomBetween(now + wait, now + 1.25 * wait);
}
