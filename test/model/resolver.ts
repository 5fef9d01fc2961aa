import type { Action, Entry, Says, Topic } from "./actions.ts";
import { History, key } from "./questions.ts";
import {
  DAY,
  type Event,
  isLive,
  lastWord,
  NEVER,
  type Run,
  runOf,
  stoppedAt,
  underDistrust,
} from "./runs.ts";

const ZERO = /^0x0*$/;
const OBJECTIONS = 4;

/** A statement on its way: `statedAt` is now when it is direct. */
interface Statement {
  issuer: string;
  topic: Topic;
  says: Says;
  entry: Entry;
  statedAt: number;
  /** Absent when it is direct. */
  signature?: { deadline: number; genuine: boolean };
}

type ByController = "vouchController" | "objectToController" | "withdrawObjection";
type Of<K extends Action["kind"]> = Extract<Action, { kind: K }>;

const when = (error: string, refused: boolean) => (refused ? [error] : []);

/**
 * The resolver's rules in words, as code. An action returns the errors with which it may be refused, none when it is
 * done. The rules put the errors of statements in an order; of any other action, each that applies may come.
 */
export class ResolverModel extends History {
  perform(action: Action): string[] {
    const { now, maxTTL, issuers } = this;
    switch (action.kind) {
      case "state":
        return this.state({ ...action, statedAt: now });
      case "stateSigned":
        return this.state({ ...action, signature: action });
      case "stateBatch":
        return this.stateBatch(action.entries.map((entry) => ({ ...action, entry, statedAt: now })));
      case "vouchController":
        return this.vouch(action);
      case "objectToController":
        return this.object(action);
      case "withdrawObjection":
        return this.withdraw(action) ? [] : ["NotObjected"];
      case "challengeDID":
        return this.challenge(action);
      case "resolveChallenge":
        return this.resolve(action);
      case "addIssuer":
        return ZERO.test(action.issuer) ? ["ZeroAddress"] : issuers.add(action.issuer, now);
      case "retireIssuer":
        return issuers.retire(action.issuer, now, maxTTL);
      case "distrustIssuer":
        return issuers.distrust(action.issuer, action.since, now, maxTTL);
      case "endAttestation":
        return this.endByOwner(action);
      case "setMaturation":
      case "setMaxTTL":
      case "setChallengePeriod":
        return this.set(action);
      default:
        throw new Error(`${action.kind} is the registry's`);
    }
  }

  private set({ kind, seconds }: Of<"setMaturation" | "setMaxTTL" | "setChallengePeriod">): string[] {
    switch (kind) {
      case "setMaturation":
        if (seconds < 3_600 || seconds > 30 * DAY || seconds >= this.maxTTL) return ["InvalidMaturation"];
        this.maturation = seconds;
        return [];
      case "setMaxTTL":
        if (seconds < DAY || seconds > 3_650 * DAY || seconds <= this.maturation) return ["InvalidMaxTTL"];
        if (seconds < this.maxTTL) this.issuers.lowerings.push({ at: this.now, from: this.maxTTL });
        this.maxTTL = seconds;
        return [];
      case "setChallengePeriod":
        if (seconds < 2 * DAY || seconds > 60 * DAY) return ["InvalidChallengePeriod"];
        this.challengePeriod = seconds;
        return [];
    }
  }

  private state(statement: Statement): string[] {
    const verdict = this.judge(statement);
    if (verdict === "applies") this.record(statement);
    return verdict === "applies" || verdict === "changes nothing" ? [] : [verdict];
  }

  /** An entry that only comes too late or too early is skipped. */
  private stateBatch(statements: Statement[]): string[] {
    const applying = statements.filter((statement) => this.judge(statement) === "applies");
    const skipped = ["applies", "StaleStatement", "RecentlyRevoked"];
    const refusals = statements
      .map((statement) => this.judge(statement))
      .filter((verdict) => !skipped.includes(verdict));
    if (refusals.length === 0) for (const statement of applying) this.record(statement);
    return refusals;
  }

  /** What becomes of a statement, or the first error that refuses it. */
  private judge({ issuer, topic, says, entry, statedAt, signature }: Statement): string {
    const { did, subject } = entry;
    const { now, issuers } = this;
    const attests = says === "attest";
    if (attests ? !issuers.isActive(issuer) : !issuers.mayRevoke(issuer)) return "NotIssuer";
    if (signature) {
      const { deadline, genuine } = signature;
      const addedAt = issuers.find(issuer)?.addedAt ?? 0;
      if (statedAt > now || statedAt < addedAt) return "InvalidStatedAt";
      if (deadline < statedAt || deadline > statedAt + DAY) return "InvalidDeadline";
      if (now > deadline) return "SignatureExpired";
      if (!genuine) return "InvalidSignature";
    }
    if (ZERO.test(subject)) return topic === "DID" ? "ZeroAddress" : "ZeroHash";

    const run = runOf(this.events(topic, did, subject, issuer));
    const oustedAt = topic === "DID" ? this.lastOusting(did, subject) : 0;
    const newestAt = Math.max(run.statedAt, oustedAt);
    if (signature && (attests ? statedAt <= newestAt : statedAt < newestAt)) {
      return lastWord(run) === says ? "changes nothing" : "StaleStatement";
    }
    if (attests && now === oustedAt) return "StaleStatement";
    if (!attests) return "applies";

    const latest = statedAt + this.maxTTL;
    const expiresAt = entry.expiresAt || latest;
    if (expiresAt <= now) return "ExpiresInPast";
    if (expiresAt > latest) return "ExpiresTooLate";
    const isRevoked = run.revokedAt !== NEVER && now < run.revokedAt + this.maturation;
    return topic === "DID" && isRevoked ? "RecentlyRevoked" : "applies";
  }

  private record({ issuer, topic, says, entry, statedAt }: Statement): void {
    const { did, subject } = entry;
    const events = this.events(topic, did, subject, issuer);
    const at = this.now;
    if (says === "revoke") {
      events.push({ is: "revoke", at, statedAt });
      return;
    }
    const settlesAtOnce = topic === "DataHash" || !this.isClaimed(did);
    if (topic === "DID") this.claimed.add(did);
    const settlesAfter = settlesAtOnce ? 0 : this.maturation;
    const expiresAt = entry.expiresAt || statedAt + this.maxTTL;
    events.push({ is: "attest", at, statedAt, expiresAt, settlesAfter });
  }

  private vouch(action: Of<ByController>): string[] {
    const { did, by, account } = action;
    const refusals = [
      ...when("SelfReference", by === account),
      ...when("NotController", !this.checkDID(did, by)),
      ...when("NotAttested", !this.isAttested(did, account)),
    ];
    if (refusals.length > 0) return refusals;
    for (const { issuer, run } of this.runs("DID", did, account)) {
      if (isLive(run, this.now)) this.events("DID", did, account, issuer).push({ is: "vouch", at: this.now });
    }
    this.withdraw(action);
    return [];
  }

  private object({ did, by, account }: Of<ByController>): string[] {
    const objections = this.objectionsTo(did, account);
    const idle = objections.findIndex((objection) => !this.isInForce(did, account, objection));
    const weights = objections.map((objection) => this.authorWeight(did, objection));
    const least = Math.min(...weights);
    const isFull = objections.length === OBJECTIONS;
    const objection = { author: by, objectedAt: this.now };
    const isKept = idle < 0 && least >= this.authorWeight(did, objection);

    const refusals = [
      ...when("SelfReference", by === account),
      ...when("NotController", !this.checkDID(did, by) && !this.isLate(did, by)),
      ...when("ControllerCounts", this.checkDID(did, account)),
      ...when("AlreadyObjected", this.authors(did, account).includes(by)),
      ...when("TooManyObjections", isFull && isKept),
    ];
    if (refusals.length > 0) return refusals;
    if (isFull) objections[idle >= 0 ? idle : weights.indexOf(least)] = objection;
    else objections.push(objection);
    this.objections.set(key(did, account), objections);
    return [];
  }

  /** The last objection takes the place of the one withdrawn. */
  private withdraw({ did, by, account }: Of<ByController>): boolean {
    const objections = this.objectionsTo(did, account);
    const place = objections.findIndex(({ author }) => author === by);
    if (place < 0) return false;
    const last = objections.pop();
    if (last && place < objections.length) objections[place] = last;
    this.objections.set(key(did, account), objections);
    return true;
  }

  private challenge({ did, by, incumbent }: Of<"challengeDID">): string[] {
    const refusals = [
      ...when("SelfReference", by === incumbent),
      ...when("NotAttested", !this.isAttested(did, by)),
      ...when("NotAttested", !this.isAttested(did, incumbent) && this.standing(did, incumbent) === 0),
      ...when("ChallengeAlreadyOpen", this.openChallenge(did, incumbent, by) !== undefined),
    ];
    if (refusals.length > 0) return refusals;
    this.challenges.set(key(did, incumbent, by), {
      openedAt: this.now,
      period: this.challengePeriod,
    });
    return [];
  }

  private resolve({ did, incumbent, challenger }: Of<"resolveChallenge">): string[] {
    const challenge = this.openChallenge(did, incumbent, challenger);
    if (!challenge) return ["ChallengeNotOpen"];
    const { openedAt, period } = challenge;
    const refusals = [
      ...when("ChallengeNotResolvable", this.now < openedAt + period),
      ...when(
        "ChallengeNotWon",
        this.challengeScore(did, challenger, openedAt) <= this.weight(did, incumbent),
      ),
    ];
    if (refusals.length > 0) return refusals;
    this.challenges.delete(key(did, incumbent, challenger));
    this.oustings.set(key(did, incumbent), this.now);
    for (const { issuer, run } of this.runs("DID", did, incumbent)) {
      if (run.startedAt > 0) this.end(this.events("DID", did, incumbent, issuer), run);
    }
    return [];
  }

  private endByOwner({ topic, did, subject, issuer }: Of<"endAttestation">): string[] {
    const events = this.events(topic, did, subject, issuer);
    const written = runOf(events);
    const run = underDistrust(written, this.issuers.find(issuer)?.distrustedSince ?? NEVER);
    const refusals = [
      ...when("NotIssuer", this.issuers.find(issuer) === undefined),
      ...when("IssuerActive", this.issuers.isActive(issuer)),
      ...when("NothingToEnd", written.startedAt === 0),
    ];
    if (refusals.length === 0) this.end(events, run);
    return refusals;
  }

  /** A run that has ended, as far as distrust heeds that, keeps its end. */
  private end(events: Event[], run: Run): void {
    const stopped = stoppedAt(run);
    events.push({ is: "end", at: stopped === NEVER ? this.now : stopped });
  }

  private events(topic: Topic, did: string, subject: string, issuer: string): Event[] {
    return getOrAdd(this.pairs, key(topic, did, subject, issuer), () => []);
  }
}

function getOrAdd<V>(map: Map<string, V>, name: string, create: () => V): V {
  const value = map.get(name) ?? create();
  map.set(name, value);
  return value;
}
