import type { Topic } from "./actions.ts";
import { Issuers } from "./issuers.ts";
import {
  DAY,
  type Event,
  hasStanding,
  isHeld,
  isLive,
  isSettled,
  type Run,
  runOf,
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
  /** Authors of objections to an account. */
  readonly objections = new Map<string, string[]>();
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

  private count(did: string, controller: string, test: Test): number {
    return this.runs("DID", did, controller).filter(({ run }) => test(run, this.now)).length;
  }

  isClaimed = (did: string) => this.claimed.has(did);
  lastOusting = (did: string, controller: string) => this.oustings.get(key(did, controller)) ?? 0;
  isAttested = (did: string, controller: string) => this.count(did, controller, isLive) > 0;
  ownershipScore = (did: string, controller: string) => this.count(did, controller, isSettled);
  standing = (did: string, controller: string) => this.count(did, controller, hasStanding);

  checkDataHash(did: string, dataHash: string): boolean {
    return this.runs("DataHash", did, dataHash).some(({ run }) => isLive(run, this.now));
  }

  checkDID(did: string, controller: string): boolean {
    const counting: Test = (run, now) => isLive(run, now) && (now >= run.settlesAt || run.vouched);
    return this.count(did, controller, counting) > 0 && !this.isObjected(did, controller);
  }

  countedSince(did: string, controller: string, since: number): boolean {
    return this.count(did, controller, (run, now) => settledSince(run, since, now)) > 0;
  }

  /** Some issuer's settled attestation expired less than the grace ago, and no other one of it is settled. */
  isLate(did: string, controller: string): boolean {
    const expired: Test = (run, now) => isHeld(run, now) && !isLive(run, now);
    return this.count(did, controller, expired) > 0 && this.ownershipScore(did, controller) === 0;
  }

  /** An author of whose attestations distrust leaves none has no say. */
  isInForce(did: string, account: string, author: string): boolean {
    const old: Test = (run, now) => isLive(run, now) && run.settlesAt + OBJECTION_AGE <= now;
    const wasAttested = this.count(did, author, (run) => run.startedAt > 0) > 0;
    return wasAttested && this.count(did, account, old) <= this.standing(did, author);
  }

  authors = (did: string, account: string): string[] => [...(this.objections.get(key(did, account)) ?? [])];

  isObjected(did: string, account: string): boolean {
    return this.authors(did, account).some((author) => this.isInForce(did, account, author));
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
