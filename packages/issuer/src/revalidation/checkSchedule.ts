import { retryDelay } from "@app-registry/outbound/internal";
import { RENEWAL_GRACE_SECONDS as GRACE_SECONDS } from "@app-registry/sdk";
import { getRenewalTime } from "@app-registry/sdk/internal";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long after the first failure a second one counts, in milliseconds. */
export const CONFIRMATION_DELAY = HOUR;

const GRACE = GRACE_SECONDS * 1_000;

/** What times are reckoned with, in milliseconds. */
export type CheckClock = {
  now: number;
  /** Longest time between two checks of an attestation. */
  period: number;
  /** Longest lifetime of an attestation. */
  lifetime: number;
};

/** A time between two, anywhere. */
const randomBetween = (from: number, to: number): number => Math.round(from + Math.random() * (to - from));

/**
 * The check after one that held: early in the last quarter of the period, so that a busy host or a pause of this issuer
 * does not make it late, and not after the first half of the time in which the attestation is renewed.
 */
export function scheduleAfterSuccess(expiresAt: number, { now, period, lifetime }: CheckClock): number {
  const latest = now + 0.95 * period;
  const regular = randomBetween(now + 0.75 * period, latest);
  const renewable = getRenewalTime(expiresAt, lifetime);
  if (regular <= renewable || now >= renewable) return regular;
  return Math.max(now + MINUTE, randomBetween(renewable, Math.min(renewable + lifetime / 8, latest)));
}

/**
 * The first check of an attestation that the chain tells of, proven at a time. Those that were to be checked while no
 * process ran, and those that were written to live so shortly that they are to be renewed at once, are spread over a
 * day; one that would expire meanwhile, or be too late for a renewal, is checked before that.
 */
export function scheduleFirstCheck(provenAt: number, expiresAt: number, clock: CheckClock): number {
  const { now, period, lifetime } = clock;
  const next = scheduleAfterSuccess(expiresAt, { ...clock, now: provenAt });
  if (next > now && provenAt < getRenewalTime(expiresAt, lifetime)) return next;
  const spread = Math.min(DAY, period / 30);
  const left = (expiresAt > now ? expiresAt : expiresAt + GRACE) - now;
  return randomBetween(now, now + (left > 0 ? Math.min(spread, left / 2) : spread));
}

/** The check that confirms a first failure, or is made in its stead when that was less than an hour ago. */
export const scheduleConfirmation = (failedAt: number): number =>
  randomBetween(failedAt + CONFIRMATION_DELAY, failedAt + CONFIRMATION_DELAY + 10 * MINUTE);

/** The check after a number of checks in a row without an answer: an hour later, then twice as long, up to two days. */
export function scheduleAfterNoResponse(unanswered: number, now: number): number {
  return now + Math.round(retryDelay(unanswered, { first: HOUR, longest: 2 * DAY }, Math.random));
}

/** When a renewal or revocation is tried again that could not be sent, or has no receipt yet. */
export function scheduleRetry(wait: number, now: number): number {
  return randomBetween(now + wait, now + 1.25 * wait);
}
