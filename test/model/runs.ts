export const HOUR = 3_600;
export const DAY = 24 * HOUR;
/** How long a matured run of a controller can be renewed after it expired. */
export const GRACE = 7 * DAY;
/** How long a run that was lengthened since the distrust of its issuer lasts after the first distrust. */
const DISTRUST_TAIL = 30 * DAY;
export const NEVER = Number.POSITIVE_INFINITY;

interface Statement {
  /** When it was recorded. */
  at: number;
  statedAt: number;
  isSigned: boolean;
}

/** A recorded statement of one issuer about one pair, or a final end of its run. */
export type Event =
  | ({ is: "attest"; expiresAt: number; maturesAt: number } & Statement)
  | ({ is: "revoke" } & Statement)
  /** A lost challenge or the owner ended the run, which had ended at `endedAt` already or ends there. */
  | { is: "end"; endedAt: number };

type Attestation = Extract<Event, { is: "attest" }>;

/** Dates of an issuer's current run of a pair; NEVER if one doesn't come. */
export interface Run {
  startedAt: number;
  maturesAt: number;
  expiresAt: number;
  /** When a renewal last moved `expiresAt`; 0 if none did. */
  lengthenedAt: number;
  /** When a revocation ended it. */
  revokedAt: number;
  /** When it ended, if a lost challenge or the owner ended it for good. */
  endedAt: number;
  grace: number;
}

/** Returns the run that recorded events amount to, without regard to distrust. `grace` is 0 for data hashes. */
export function findRun(events: readonly Event[], grace: number): Run | undefined {
  let begin: number | undefined;
  for (const [place, event] of events.entries()) {
    if (event.is !== "attest") continue;
    const renews = begin !== undefined && isRenewable(runFrom(events.slice(begin, place), grace), event.at);
    if (!renews) begin = place;
  }
  return begin === undefined ? undefined : runFrom(events.slice(begin), grace);
}

/** Returns the run that begins with the first event, if all attestations that follow renew it. */
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

/** Returns the run that counts if its issuer was first distrusted at `firstAt`, and is distrusted since `since`. */
export function underDistrust(run: Run | undefined, since: number, firstAt: number): Run | undefined {
  if (!run || run.startedAt >= since) return undefined;
  return {
    ...run,
    revokedAt: run.revokedAt >= since ? NEVER : run.revokedAt,
    expiresAt: run.lengthenedAt >= since ? Math.min(run.expiresAt, firstAt + DISTRUST_TAIL) : run.expiresAt,
  };
}

/** When somebody ended it. */
export const stoppedAt = (run: Run) => (run.endedAt === NEVER ? run.revokedAt : run.endedAt);
/** The earlier of its expiry and its revocation. */
const lapsedAt = (run: Run) => Math.min(run.expiresAt, run.revokedAt);

export const isLive = (run: Run, now: number) => now < run.expiresAt && stoppedAt(run) === NEVER;
export const isMatured = (run: Run, now: number) => isLive(run, now) && now >= run.maturesAt;
export const isOverdue = (run: Run, now: number) =>
  run.maturesAt < run.expiresAt &&
  run.expiresAt <= now &&
  now < run.expiresAt + run.grace &&
  stoppedAt(run) === NEVER;
export const isRenewable = (run: Run, now: number) => isLive(run, now) || isOverdue(run, now);

/** Returns true if it counts against a challenge: it is live, or lapsed less than the grace ago. */
export const resistsChallenge = (run: Run, now: number) =>
  run.endedAt === NEVER && now < lapsedAt(run) + GRACE;
export const isStanding = (run: Run, now: number) =>
  resistsChallenge(run, now) && run.maturesAt < lapsedAt(run) && run.maturesAt <= now;
