import type { Topic } from "./actions.ts";
import { Issuers } from "./issuers.ts";
import {
  DAY,
  type Event,
  hasStanding,
  isHeld,
  isLate,
  isLive,
  isSettled,
  NEVER,
  type Run,
  runOf,
  STANDING_TAIL,
  settledSince,
  underDistrust,
} from "./runs.ts";

/** How long an account must have been settled to weigh against an objection. */
const OBJECTION_AGE = 7 * DAY;

export const key = (...parts: string[]) => parts.join(" ");

interface Challenge {
  openedAt: number;
  /** The challenge period when it was opened. */
  period: number;
}

export interface Objection {
  author: string;
  objectedAt: number;
}

type Test = (run: Run, now: number) => boolean;

/** Lists of what was done to the resolver, and every question that it answers, from these lists alone. */
export class History {
  /** Seconds since 1970, as everywhere here. */
  now = 0;
  maxTTL = 365 * DAY;
  challengePeriod = 7 * DAY;
  readonly issuers = new Issuers();
  /** What happened to each pair under each issuer. */
  readonly pairs = new Map<string, Event[]>();
  /** When a controller was last ousted. */
  readonly oustings = new Map<string, number>();
  /** The last challenge of each incumbent by each challenger, without those that were won. */
  readonly challenges = new Map<string, Challenge>();
  /** The objections to an account. */
  readonly objections = new Map<string, Objection[]>();
  /** DIDs for which an attestation was ever recorded. */
  readonly claimed = new Set<string>();

  maturation: number;

  constructor(maturation: number) {
    this.maturation = maturation;
  }

  /** Every issuer's run of a pair, as far as it is still read. */
  runs(topic: Topic, did: string, subject: string): { issuer: string; run: Run }[] {
    return this.issuers.seated().map(({ address, distrustedSince }) => {
      const run = runOf(this.pairs.get(key(topic, did, subject, address)) ?? []);
      return { issuer: address, run: underDistrust(run, distrustedSince) };
    });
  }

  private stands: Test = (run, now) => hasStanding(run, now, Math.max(STANDING_TAIL, this.maturation));

  private count(did: string, controller: string, test: Test): number {
    return this.runs("DID", did, controller).filter(({ run }) => test(run, this.now)).length;
  }

  isClaimed = (did: string) => this.claimed.has(did);
  lastOusting = (did: string, controller: string) => this.oustings.get(key(did, controller)) ?? 0;
  isAttested = (did: string, controller: string) => this.count(did, controller, isLive) > 0;
  ownershipScore = (did: string, controller: string) => this.count(did, controller, isSettled);
  standing = (did: string, controller: string) => this.count(did, controller, this.stands);

  checkDataHash(did: string, dataHash: string): boolean {
    return this.runs("DataHash", did, dataHash).some(({ run }) => isLive(run, this.now));
  }

  checkDID(did: string, controller: string): boolean {
    const objectedAt = this.firstObjectedAt(did, controller);
    const counting: Test = (run, now) =>
      isLive(run, now) && (now >= run.settlesAt || run.vouched) && !isBarred(run, objectedAt);
    return this.count(did, controller, counting) > 0;
  }

  countedSince(did: string, controller: string, since: number): boolean {
    const objectedAt = this.firstObjectedAt(did, controller);
    const counted: Test = (run, now) =>
      (settledSince(run, since, now) && !isBarred(run, objectedAt)) ||
      (run.countedUntil > since && run.countedUntil <= objectedAt);
    return this.count(did, controller, counted) > 0;
  }

  /** Its settled attestations expired, and one that no objection bars did so less than the grace ago. */
  isLate(did: string, controller: string): boolean {
    const objectedAt = this.firstObjectedAt(did, controller);
    const late: Test = (run, now) => isLate(run, now) && !isBarred(run, objectedAt);
    return this.count(did, controller, late) > 0 && this.ownershipScore(did, controller) === 0;
  }

  objectionsTo = (did: string, account: string): Objection[] => [
    ...(this.objections.get(key(did, account)) ?? []),
  ];
  authors = (did: string, account: string) => this.objectionsTo(did, account).map(({ author }) => author);

  /** What an author holds for its objection: only what it had when it made that. */
  authorWeight(did: string, { author, objectedAt }: Objection): number {
    const weighs: Test = (run, now) =>
      run.startedAt <= objectedAt && (this.stands(run, now) || (isLive(run, now) && run.vouched));
    return this.count(did, author, weighs);
  }

  isInForce(did: string, account: string, objection: Objection): boolean {
    const old: Test = (run, now) => isHeld(run, now) && run.settlesAt + OBJECTION_AGE <= now;
    const weight = this.authorWeight(did, objection);
    return weight >= 1 && weight >= this.count(did, account, old);
  }

  /** When the earliest objection in force was made, NEVER when there is none. */
  private firstObjectedAt(did: string, account: string): number {
    const inForce = this.objectionsTo(did, account).filter((one) => this.isInForce(did, account, one));
    return Math.min(NEVER, ...inForce.map(({ objectedAt }) => objectedAt));
  }

  /** An objection is in force, and bars all live attestations, however many. */
  isObjected(did: string, account: string): boolean {
    const objectedAt = this.firstObjectedAt(did, account);
    const unbarred: Test = (run, now) => isLive(run, now) && !isBarred(run, objectedAt);
    return objectedAt !== NEVER && this.count(did, account, unbarred) === 0;
  }

  openChallenge(did: string, incumbent: string, challenger: string): Challenge | undefined {
    const challenge = this.challenges.get(key(did, incumbent, challenger));
    return challenge && this.now < challenge.openedAt + 2 * challenge.period ? challenge : undefined;
  }

  /** What a challenger has of its own, leaving out what it got after it opened the challenge. */
  challengeScore(did: string, challenger: string, openedAt: number): number {
    return this.count(did, challenger, (run, now) => isSettled(run, now) && run.startedAt <= openedAt);
  }

  /** What an incumbent holds against a challenge. */
  weight(did: string, incumbent: string): number {
    const unsettled: Test = (run, now) => isLive(run, now) && !isSettled(run, now);
    return this.standing(did, incumbent) + this.count(did, incumbent, unsettled);
  }
}

/** An objection bars what had not settled when it was made. */
const isBarred = (run: Run, objectedAt: number) => run.settlesAt > objectedAt;
