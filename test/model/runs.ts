export const HOUR = 3_600;
export const DAY = 24 * HOUR;
/** Time after its expiry in which a controller's run can be renewed, in seconds. */
export const GRACE = 7 * DAY;
/** Longest time from the first distrust to the expiry of a run that was extended since, in seconds. */
export const DISTRUST_TAIL = 23 * DAY;
export const NEVER = Number.POSITIVE_INFINITY;

interface Statement {
  /** Time at which the statement was recorded. */
  at: number;
  statedAt: number;
  isSigned: boolean;
}

/** Recorded statement of one issuer about one pair, or the final end of its run. */
export type Event =
  | ({ is: "attest"; expiresAt: number; maturesAt: number } & Statement)
  | ({ is: "revoke" } & Statement)
  /** End by a lost challenge or the owner. `endedAt` is earlier if the run had already ended. */
  | { is: "end"; endedAt: number };

type Attestation = Extract<Event, { is: "attest" }>;

/** Dates of an issuer's current run of a pair. NEVER stands for no date. */
export interface Run {
  startedAt: number;
  maturesAt: number;
  expiresAt: number;
  /** Time at which a renewal last moved `expiresAt`; 0 if none did. */
  lengthenedAt: number;
  /** Time at which a revocation ended the run. */
  revokedAt: number;
  /** Time at which the run ended, if a lost challenge or the owner ended it for good. */
  endedAt: number;
  grace: number;
}

/** Returns the run that results from recorded events, without applying distrust. `grace` is 0 for dataHashes. */
export function findRun(events: readonly Event[], grace: number): Run | undefined {
  let begin: number | undefined;
  for (const [place, event] of events.entries()) {
    if (event.is !== "attest") continue;
    const renews = begin !== undefined && isRenewable(runFrom(events.slice(begin, place), grace), event.at);
    if (!renews) begin = place;
  }
  return begin === undefined ? undefined : runFrom(events.slice(begin), grace);
}

/** Returns the run that begins with the first event. All later attestations must renew it. */
function runFrom(events: readonly Event[], grace: number): Run {
  const attestations = events.filter((event): event is Attestation => event.is === "attest");
  const { at: startedAt, maturesAt } = attestations[0] as Attestation;
  const expiresAt = Math.max(...attestations.map((one) => one.expiresAt));
  const lengthened = attestations.findLast(
    (one, place) =>
      place > 0 && attestations.slice(0, place).every((other) => other.expiresAt < one.expiresAt),
  );
  const run = { startedAt, maturesAt, expiresAt, lengthenedAt: lengthened?.at ?? 0, grace };
  const unended = { ...run, revokedAt: NEVER, endedAt: NEVER };
  const [first] = events.filter((event) => event.is !== "attest");
  const isRevoked = first?.is === "revoke" && isRenewable(unended, first.at);
  const ended = events.find((event) => event.is === "end");
  return { ...run, revokedAt: isRevoked ? first.at : NEVER, endedAt: ended ? ended.endedAt : NEVER };
}

/** Returns the run without the parts that are void because of distrust since `since`, first declared at `firstAt`. */
export function underDistrust(run: Run | undefined, since: number, firstAt: number): Run | undefined {
  if (!run || run.startedAt >= since) return undefined;
  return {
    ...run,
    revokedAt: run.revokedAt >= since ? NEVER : run.revokedAt,
    expiresAt: run.lengthenedAt >= since ? Math.min(run.expiresAt, firstAt + DISTRUST_TAIL) : run.expiresAt,
  };
}

/** Returns the time at which a revocation, a lost challenge or the owner ended a run. */
export const stoppedAt = (run: Run) => (run.endedAt === NEVER ? run.revokedAt : run.endedAt);
/** Returns the earlier of a run's expiry and revocation. */
const lapsedAt = (run: Run) => Math.min(run.expiresAt, run.revokedAt);

export const isLive = (run: Run, now: number) => now < run.expiresAt && stoppedAt(run) === NEVER;
export const isMatured = (run: Run, now: number) => isLive(run, now) && now >= run.maturesAt;
export const isOverdue = (run: Run, now: number) =>
  run.maturesAt < run.expiresAt &&
  run.expiresAt <= now &&
  now < run.expiresAt + run.grace &&
  stoppedAt(run) === NEVER;
export const isRenewable = (run: Run, now: number) => isLive(run, now) || isOverdue(run, now);

/** Returns true if a run counts against a challenge: it is live, or ended less than the grace ago. */
export const resistsChallenge = (run: Run, now: number) =>
  run.endedAt === NEVER && now < lapsedAt(run) + GRACE;
export const isStanding = (run: Run, now: number) =>
  resistsChallenge(run, now) && run.maturesAt < lapsedAt(run) && run.maturesAt <= now;
