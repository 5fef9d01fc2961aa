import type { Says } from "./actions.ts";

export const HOUR = 3_600;
export const DAY = 24 * HOUR;
/** After the expiry of a settled run, its controller is only late. */
export const GRACE = 7 * DAY;
/** How long standing outlives the run, unless maturation is longer. */
export const STANDING_TAIL = 48 * HOUR;
/** How long what was written over before a distrust can live after it. */
export const DISTRUST_TAIL = 30 * DAY;
export const NEVER = Number.POSITIVE_INFINITY;

/** What happened to one pair (DID and controller, or DID and dataHash) under one issuer, in order. */
export type Event =
  | { is: "attest"; at: number; statedAt: number; expiresAt: number; settlesAfter: number }
  | { is: "revoke"; at: number; statedAt: number }
  /** The owner or an ousting ended it at that time, and nothing moves that. */
  | { is: "end"; at: number }
  | { is: "vouch"; at: number };

/** An issuer's current run for a pair; times that have not come are NEVER. */
export interface Run {
  /** 0 when the issuer never attested the pair, or distrust made that void. */
  startedAt: number;
  /** Date of the issuer's last statement, 0 when there is none. */
  statedAt: number;
  settlesAt: number;
  expiresAt: number;
  /** The issuer's first revocation of the run, which distrust may undo. */
  revokedAt: number;
  endedForGoodAt: number;
  vouched: boolean;
  /** End of the last settled run before this one, 0 when there is none. */
  countedUntil: number;
}

const noRun: Run = {
  startedAt: 0,
  statedAt: 0,
  settlesAt: NEVER,
  expiresAt: 0,
  revokedAt: NEVER,
  endedForGoodAt: NEVER,
  vouched: false,
  countedUntil: 0,
};

/** The run that a pair's events amount to, as its issuer sees it: distrust is not considered. */
export function runOf(events: readonly Event[]): Run {
  let run = noRun;
  for (const event of events) run = after(run, event);
  return run;
}

function after(run: Run, event: Event): Run {
  switch (event.is) {
    case "attest":
      return isHeld(run, event.at) ? renewed(run, event) : begun(run, event);
    case "revoke":
      return { ...run, statedAt: event.statedAt, revokedAt: revokedAt(run, event.at) };
    case "end":
      return { ...run, endedForGoodAt: event.at, revokedAt: NEVER };
    case "vouch":
      return { ...run, vouched: true };
  }
}

const revokedAt = (run: Run, at: number) =>
  run.endedForGoodAt === NEVER ? Math.min(run.revokedAt, at) : run.revokedAt;

type Attestation = Extract<Event, { is: "attest" }>;

const renewed = (run: Run, { statedAt, expiresAt }: Attestation): Run => ({
  ...run,
  statedAt,
  expiresAt: Math.max(run.expiresAt, expiresAt),
});

function begun(old: Run, { at, statedAt, expiresAt, settlesAfter }: Attestation): Run {
  const settlesAt = at + settlesAfter;
  return {
    ...noRun,
    startedAt: at,
    statedAt,
    expiresAt,
    settlesAt: settlesAt < expiresAt ? settlesAt : NEVER,
    countedUntil: everSettles(old) ? endOf(old) : old.countedUntil,
  };
}

/** What is left of a run when what its issuer stated at `since` or later is void. */
export function underDistrust(run: Run, since: number): Run {
  if (since === NEVER) return run;
  const countedUntil = Math.min(run.countedUntil, since);
  if (run.startedAt >= since) {
    return { ...noRun, statedAt: run.statedAt, vouched: run.vouched, countedUntil };
  }
  return {
    ...run,
    countedUntil,
    revokedAt: run.revokedAt >= since ? NEVER : run.revokedAt,
    // A signature may be dated back by a day, so only an older date shows that nothing was written over the run.
    expiresAt: run.statedAt >= since - DAY ? Math.min(run.expiresAt, since + DISTRUST_TAIL) : run.expiresAt,
  };
}

/** When somebody ended it. */
export const stoppedAt = (run: Run) => Math.min(run.revokedAt, run.endedForGoodAt);
/** The first moment at which it is no longer live. */
export const endOf = (run: Run) => Math.min(run.expiresAt, stoppedAt(run));
/** The first moment at which it is no longer held, of a run that settles. */
const heldUntil = (run: Run) => Math.min(run.expiresAt + GRACE, stoppedAt(run));
const everSettles = (run: Run) => run.startedAt > 0 && run.settlesAt < endOf(run);

export const isLive = (run: Run, now: number) => run.startedAt > 0 && now < endOf(run);
export const isSettled = (run: Run, now: number) => isLive(run, now) && now >= run.settlesAt;
export const isHeld = (run: Run, now: number) =>
  isLive(run, now) || (everSettles(run) && now < heldUntil(run));

/** Settled once, and expired less than the grace ago. */
export const isLate = (run: Run, now: number) => isHeld(run, now) && !isLive(run, now);

/** It is settled and held, or was until less than `tail` seconds ago. */
export const hasStanding = (run: Run, now: number, tail: number) =>
  everSettles(run) && now >= run.settlesAt && now < heldUntil(run) + tail;

/** It was settled at some moment from `since` until now. */
export const settledSince = (run: Run, since: number, now: number) =>
  everSettles(run) && run.settlesAt <= now && endOf(run) > since;

/** The issuer's last word, which a signed statement that comes too late may repeat. */
export const lastWord = (run: Run): Says =>
  run.startedAt > 0 && stoppedAt(run) === NEVER ? "attest" : "revoke";
