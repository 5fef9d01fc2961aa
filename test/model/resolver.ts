import { Account, type BlockAct, findBlock } from "./account.ts";
import type { Action, BlockRequest, Entry, Of, Says, Settings, Topic } from "./actions.ts";
import { Issuers } from "./issuers.ts";
import {
  DAY,
  type Event,
  findRun,
  GRACE,
  isLive,
  isRenewable,
  NEVER,
  type Run,
  stoppedAt,
  underDistrust,
} from "./runs.ts";

const ZERO = /^0x0*$/;
/** Longest time until the end of a block, in seconds. */
export const MAX_BLOCK = 30 * DAY;

/** Statement to be recorded. */
interface Arrival {
  issuer: string;
  topic: Topic;
  says: Says;
  entry: Entry;
  statedAt: number;
  /** Absent if the statement is direct. */
  signature?: { deadline: number; genuine: boolean };
}

/** Statements of an issuer about a pair, and its run after distrust. */
export interface Stated {
  issuer: string;
  events: readonly Event[];
  run: Run | undefined;
}

export const key = (...parts: string[]) => parts.join(" ");
export const when = (error: string, refused: boolean) => (refused ? [error] : []);
const getGrace = (topic: Topic) => (topic === "DID" ? GRACE : 0);

/**
 * Model of the resolver, which derives each answer from lists of the performed actions. An action returns all errors
 * with which the contract may refuse it, or none if it was performed.
 */
export class Resolver {
  /** Unix seconds. */
  now = 0;
  readonly settings: Settings;
  readonly issuers: Issuers;
  /** Recorded statements and ends by pair and issuer. */
  readonly pairs = new Map<string, Event[]>();
  readonly blocks = new Map<string, BlockAct[]>();
  /** Time at which each DID was claimed. */
  readonly claims = new Map<string, number>();
  /** Time at which each account last lost a challenge. */
  readonly removals = new Map<string, number>();
  /** Time at which each challenge was opened, without those that were won. */
  readonly challenges = new Map<string, number>();

  constructor(settings: Settings) {
    this.settings = settings;
    this.issuers = new Issuers(settings.maxTTL);
  }

  perform(action: Action): string[] {
    const { now, issuers } = this;
    switch (action.kind) {
      case "state":
        return this.state({ ...action, statedAt: now });
      case "stateSigned":
        return this.state({ ...action, signature: action });
      case "stateBatch":
        return this.stateBatch(action.entries.map((entry) => ({ ...action, entry, statedAt: now })));
      case "block":
        return this.block(action);
      case "blockBatch":
        return this.blockBatch(action);
      case "unblock":
        return this.unblock(action);
      case "challengeDID":
        return this.challenge(action);
      case "resolveChallenge":
        return this.resolve(action);
      case "addIssuer":
        return ZERO.test(action.issuer) ? ["ZeroAddress"] : issuers.add(action.issuer, now);
      case "retireIssuer":
        return issuers.retire(action.issuer, now);
      case "distrustIssuer":
        return issuers.distrust(action.issuer, action.since, now);
      case "endAttestation":
        return this.endByOwner(action);
      default:
        throw new Error(`The resolver can't ${action.kind}`);
    }
  }

  // Answers

  /** Returns the statements of each seated issuer about a pair. */
  stated(topic: Topic, did: string, subject: string): Stated[] {
    return this.issuers.seated().flatMap(({ address, distrustedSince, firstDistrustedAt }) => {
      const events = this.pairs.get(key(topic, did, subject, address)) ?? [];
      if (events.length === 0) return [];
      const run = underDistrust(findRun(events, getGrace(topic)), distrustedSince, firstDistrustedAt);
      return [{ issuer: address, events, run }];
    });
  }

  blockOn = (did: string, account: string) => findBlock(this.blocks.get(key(did, account)) ?? [], this.now);

  account(did: string, account: string): Account {
    const runs = this.stated("DID", did, account).flatMap(({ run }) => run ?? []);
    return new Account(runs, this.blockOn(did, account), this.settings.challengePeriod);
  }

  checkDID = (did: string, account: string) => this.account(did, account).controls(this.now);
  checkDataHash = (did: string, dataHash: string, now = this.now) =>
    this.stated("DataHash", did, dataHash).some(({ run }) => run && isLive(run, now));

  /** Returns the time at which a challenge was opened, or `undefined` if it has expired or was never opened. */
  openChallenge(did: string, incumbent: string, challenger: string): number | undefined {
    const openedAt = this.challenges.get(key(did, incumbent, challenger));
    const isOpen = openedAt !== undefined && this.now < openedAt + 2 * this.settings.challengePeriod;
    return isOpen ? openedAt : undefined;
  }

  // Statements

  private events(topic: Topic, did: string, subject: string, issuer: string): Event[] {
    return listed(this.pairs, key(topic, did, subject, issuer));
  }

  private state(arrival: Arrival): string[] {
    const refusals = [...this.faults(arrival), ...this.obstacles(arrival)];
    if (refusals.length === 0) this.record(arrival);
    return refusals;
  }

  private stateBatch(arrivals: Arrival[]): string[] {
    const faults = arrivals.flatMap((arrival) => this.faults(arrival));
    if (faults.length > 0) return faults;
    for (const arrival of arrivals) {
      if (this.obstacles(arrival).length === 0) this.record(arrival);
    }
    return [];
  }

  private expiryOf = ({ entry, statedAt }: Arrival) => entry.expiresAt || statedAt + this.settings.maxTTL;

  /** Returns the errors with which a statement reverts, even in a batch. */
  private faults(arrival: Arrival): string[] {
    const { issuer, topic, says, entry, statedAt, signature } = arrival;
    const { now, issuers } = this;
    const addedAt = issuers.find(issuer)?.addedAt ?? 0;
    const attests = says === "attest";
    const { deadline, genuine } = signature ?? { deadline: now, genuine: true };
    // Only a statement that is recorded can have expired by then.
    const changes = attests && !this.isStale(arrival) && !this.isRepeated(arrival);
    return [
      ...when("NotIssuer", attests ? !issuers.isActive(issuer) : !issuers.mayRevoke(issuer)),
      ...when("InvalidStatedAt", statedAt > now || statedAt < addedAt),
      ...when("InvalidDeadline", deadline < statedAt || deadline > statedAt + DAY),
      ...when("SignatureExpired", now > deadline),
      ...when("InvalidSignature", !genuine),
      ...when(topic === "DID" ? "ZeroAddress" : "ZeroHash", ZERO.test(entry.subject)),
      ...when("ExpiresInPast", changes && this.expiryOf(arrival) <= now),
      ...when("ExpiresTooLate", changes && entry.expiresAt > statedAt + this.settings.maxTTL),
    ];
  }

  /** Returns the errors because of which a batch skips a statement. */
  private obstacles(arrival: Arrival): string[] {
    const { issuer, topic, says, entry } = arrival;
    const { now, settings } = this;
    const events = this.events(topic, entry.did, entry.subject, issuer);
    const stale = when("StaleStatement", this.isStale(arrival));
    if (says === "revoke" || !this.isNewest(arrival)) return stale;
    const revoked = events.findLast((event) => event.is === "revoke");
    const run = findRun(events, getGrace(topic));
    const begins = !run || !isRenewable(run, now);
    return [
      ...stale,
      ...when("RecentlyRevoked", revoked !== undefined && now < revoked.at + settings.maturation),
      ...when(
        "ExpiresBeforeMaturing",
        topic === "DID" && begins && this.expiryOf(arrival) <= this.maturityOf(topic, entry.did),
      ),
    ];
  }

  /** Returns true if the statement is not later than a lost challenge, or than the last one of the other kind. */
  private isStale(arrival: Arrival): boolean {
    const { topic, entry, statedAt } = arrival;
    const removedAt = topic === "DID" ? (this.removals.get(key(entry.did, entry.subject)) ?? 0) : 0;
    return statedAt <= removedAt || !(this.isNewest(arrival) || this.isRepeated(arrival));
  }

  private lastStatement({ issuer, topic, entry }: Arrival) {
    return this.events(topic, entry.did, entry.subject, issuer).findLast((event) => event.is !== "end");
  }

  /** Returns true if the statement is newer than the issuer's last one about the pair. */
  private isNewest(arrival: Arrival): boolean {
    const { says, statedAt, signature } = arrival;
    const last = this.lastStatement(arrival);
    if (!signature || !last || statedAt > last.statedAt) return true;
    return says === "revoke" && last.is === "attest" && last.isSigned && statedAt === last.statedAt;
  }

  /** Returns true if the statement is older than the last one and the same, so that it need not be recorded. */
  private isRepeated = (arrival: Arrival) =>
    !this.isNewest(arrival) && this.lastStatement(arrival)?.is === arrival.says;

  /** Returns the time at which a run that begins now matures; 0 if it claims the DID. */
  private maturityOf(topic: Topic, did: string): number {
    const claimedAt = this.claims.get(did);
    if (topic === "DataHash" || claimedAt === undefined) return 0;
    return Math.max(this.now, claimedAt + this.settings.maturation) + this.settings.maturation;
  }

  private record(arrival: Arrival): void {
    if (!this.isNewest(arrival)) return;
    const { issuer, topic, says, entry, statedAt, signature } = arrival;
    const { did, subject } = entry;
    const events = this.events(topic, did, subject, issuer);
    const statement = { at: this.now, statedAt, isSigned: signature !== undefined };
    if (says === "revoke") {
      events.push({ is: "revoke", ...statement });
      return;
    }
    const maturesAt = this.maturityOf(topic, did) || this.now;
    events.push({ is: "attest", ...statement, expiresAt: this.expiryOf(arrival), maturesAt });
    if (topic === "DID" && !this.claims.has(did)) this.claims.set(did, this.now);
  }

  // Controllers

  private block({ by, request }: Of<"block">): string[] {
    const refusals = this.blockRefusals(by, request);
    if (refusals.length === 0) this.recordBlock(by, request);
    return refusals;
  }

  /** Skips accounts in charge, and performs nothing if another entry is refused or none is left. */
  private blockBatch({ by, requests }: Of<"blockBatch">): string[] {
    const skips = "AccountInCharge";
    const faults = requests
      .flatMap((request) => this.blockRefusals(by, request))
      .filter((fault) => fault !== skips);
    if (faults.length > 0) return faults;
    const left = requests.filter((request) => this.blockRefusals(by, request).length === 0);
    for (const request of left) this.recordBlock(by, request);
    return when("NobodyBlocked", left.length === 0);
  }

  private recordBlock(by: string, { did, account, until }: BlockRequest): void {
    const weight = this.account(did, by).weight(this.now);
    listed(this.blocks, key(did, account)).push({ at: this.now, until, weight });
  }

  private blockRefusals(by: string, { did, account, until }: BlockRequest): string[] {
    const { now } = this;
    const claimedAt = this.claims.get(did) ?? now;
    return [
      ...when("SelfReference", by === account),
      ...when("NotInCharge", !this.account(did, by).isInCharge(now)),
      ...when("AccountInCharge", this.account(did, account).isInCharge(now)),
      ...when("TooEarlyToBlock", now < claimedAt + this.settings.maturation),
      ...when("InvalidBlockEnd", until <= now || until > now + MAX_BLOCK),
    ];
  }

  private unblock({ by, did, account }: Of<"unblock">): string[] {
    const refusals = [
      ...when("NotInCharge", !this.account(did, by).isInCharge(this.now)),
      ...when("NotBlocked", this.blockOn(did, account) === undefined),
    ];
    if (refusals.length === 0) listed(this.blocks, key(did, account)).push("unblock");
    return refusals;
  }

  private challenge({ did, by, incumbent }: Of<"challengeDID">): string[] {
    const refusals = [
      ...when("SelfReference", by === incumbent),
      ...when("NotAttested", this.account(did, by).score(this.now) === 0),
      ...when("NotAttested", this.account(did, incumbent).resistance(this.now) === 0),
      ...when("ChallengeAlreadyOpen", this.openChallenge(did, incumbent, by) !== undefined),
    ];
    if (refusals.length === 0) this.challenges.set(key(did, incumbent, by), this.now);
    return refusals;
  }

  /** Returns true if a challenge opened at `openedAt` would be won now. */
  wins = (did: string, incumbent: string, challenger: string, openedAt: number) =>
    this.account(did, challenger).scoreSince(openedAt, this.now) >
    this.account(did, incumbent).resistance(this.now);

  private resolve({ did, incumbent, challenger }: Of<"resolveChallenge">): string[] {
    const openedAt = this.openChallenge(did, incumbent, challenger);
    if (openedAt === undefined) return ["ChallengeNotOpen"];
    const refusals = [
      ...when("ChallengeNotResolvable", this.now < openedAt + this.settings.challengePeriod),
      ...when("ChallengeNotWon", !this.wins(did, incumbent, challenger, openedAt)),
    ];
    if (refusals.length > 0) return refusals;
    this.challenges.delete(key(did, incumbent, challenger));
    this.removals.set(key(did, incumbent), this.now);
    for (const { issuer, run } of this.stated("DID", did, incumbent)) {
      if (run) this.end(this.events("DID", did, incumbent, issuer), run);
    }
    return [];
  }

  private endByOwner({ topic, did, subject, issuer }: Of<"endAttestation">): string[] {
    const events = this.events(topic, did, subject, issuer);
    const known = this.issuers.find(issuer);
    const written = findRun(events, getGrace(topic));
    const refusals = [
      ...when("NotIssuer", known === undefined),
      ...when("IssuerActive", this.issuers.isActive(issuer)),
      ...when("NothingToEnd", written === undefined),
    ];
    if (refusals.length > 0) return refusals;
    const run = underDistrust(written, known?.distrustedSince ?? NEVER, known?.firstDistrustedAt ?? NEVER);
    if (run) this.end(events, run);
    return [];
  }

  /** Ends a run for good. A run that has already ended keeps its end. */
  private end(events: Event[], run: Run): void {
    events.push({ is: "end", endedAt: Math.min(this.now, stoppedAt(run)) });
  }
}

function listed<V>(map: Map<string, V[]>, name: string): V[] {
  const list = map.get(name) ?? [];
  map.set(name, list);
  return list;
}
