import type { Action, Cast, Entry, Says, Topic } from "./actions.ts";
import type { Random } from "./random.ts";
import { RECLAIM_VOID, RECLAIM_WAIT, type Rules } from "./rules.ts";
import { DAY, HOUR, isLive, NEVER, runOf } from "./runs.ts";

/** How often each kind of action is drawn, before a history shifts these. */
const WEIGHTS = {
  attestDID: 30,
  revokeDID: 7,
  attestDataHash: 3,
  revokeDataHash: 1.5,
  batch: 4,
  signed: 16,
  carried: 6,
  vouch: 5,
  object: 10,
  withdraw: 2,
  challenge: 6,
  resolve: 7,
  addIssuer: 2,
  retireIssuer: 0.7,
  distrustIssuer: 1.4,
  endAttestation: 1.5,
  set: 1.5,
  mint: 4,
  transfer: 2,
  openReclaim: 5,
  finishReclaim: 5,
  depart: 2.5,
};

type Signed = Extract<Action, { kind: "stateSigned" }>;

/** Draws actions, most of which the rules take. */
export class Choices {
  private readonly random: Random;
  private readonly rules: Rules;
  private readonly cast: Cast;
  private readonly weights = { ...WEIGHTS };
  /** Signed statements, to be carried later or once more. */
  private readonly letters: Signed[] = [];
  /** Accounts that gave up their DID: they are rarely attested before that time. */
  private readonly departed = new Map<string, number>();

  constructor(random: Random, rules: Rules, cast: Cast) {
    this.random = random;
    this.rules = rules;
    this.cast = cast;
    const names = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
    for (const name of names) this.weights[name] *= random.of([0.3, 1, 1, 3]);
  }

  next(): Action[] {
    const { random } = this;
    switch (random.weighted(this.weights)) {
      case "attestDID":
        return [this.statement("DID", "attest")];
      case "revokeDID":
        return [this.statement("DID", "revoke")];
      case "attestDataHash":
        return [this.statement("DataHash", "attest")];
      case "revokeDataHash":
        return [this.statement("DataHash", "revoke")];
      case "batch":
        return [this.batch()];
      case "signed":
        return this.signed();
      case "carried":
        return this.letters.length > 0 ? [random.of(this.letters.slice(-12))] : [];
      case "vouch":
        return [this.vouch()];
      case "object":
        return [this.object()];
      case "withdraw":
        return [this.withdraw()];
      case "challenge":
        return [this.challenge()];
      case "resolve":
        return this.resolve();
      case "addIssuer":
        return [this.addIssuer()];
      case "retireIssuer":
        return [{ kind: "retireIssuer", issuer: this.issuer(this.hasManyActive() ? 0.9 : 0) }];
      case "distrustIssuer":
        return [this.distrust()];
      case "endAttestation":
        return [this.endAttestation()];
      case "set":
        return [this.set()];
      case "mint":
        return [this.mint()];
      case "transfer":
        return this.transfer();
      case "openReclaim":
        return [this.openReclaim()];
      case "finishReclaim":
        return this.finishReclaim();
      case "depart":
        return this.depart();
    }
  }

  private get now() {
    return this.rules.now;
  }

  private did = () => this.random.of(this.cast.dids);
  private account = (fits: (account: string) => boolean = () => true) =>
    this.random.preferring(this.cast.accounts, fits);
  private counting = (did: string) => this.account((account) => this.rules.checkDID(did, account));
  private issuer = (often = 0.94) =>
    this.random.preferring(this.cast.issuers, this.rules.issuers.isActive, often);
  /** One that can send transactions of its own. */
  private sender(): string {
    const senders = this.cast.issuers.filter((issuer) => !this.cast.keyed.includes(issuer));
    return this.random.preferring(senders, this.rules.issuers.isActive, 0.94);
  }
  private hasManyActive = () => this.cast.issuers.filter(this.rules.issuers.isActive).length > 3;

  // Statements

  private subject(topic: Topic): string {
    if (topic === "DataHash") return this.random.of(this.cast.dataHashes);
    return this.random.preferring(
      this.cast.accounts,
      (account) => (this.departed.get(account) ?? 0) <= this.now,
      0.985,
    );
  }

  private run(topic: Topic, { did, subject }: Entry, issuer: string) {
    const name = [topic, did, subject, issuer].join(" ");
    return runOf(this.rules.pairs.get(name) ?? []);
  }

  private entry(topic: Topic, from = this.now): Entry {
    const expiresAt = this.random.chance(0.35) ? 0 : from + this.lifetime();
    return { did: this.did(), subject: this.subject(topic), expiresAt };
  }

  private lifetime(): number {
    const { random, rules } = this;
    if (random.chance(0.04)) return random.of([-DAY, 0, rules.maxTTL + 1]);
    if (random.chance(0.1)) return random.of([rules.maxTTL, rules.maturation, rules.maturation + 1]);
    const lifetime = random.of([HOUR, DAY, 3 * DAY, 5 * DAY, 10 * DAY, 20 * DAY, 40 * DAY, 90 * DAY]);
    return Math.min(rules.maxTTL, lifetime + random.between(0, 2));
  }

  /** A revocation is mostly of something live. */
  private worded(topic: Topic, says: Says, issuer: string): Entry {
    if (says === "attest") return this.entry(topic);
    const some = Array.from({ length: 6 }, () => this.entry(topic));
    return this.random.preferring(some, (entry) => isLive(this.run(topic, entry, issuer), this.now), 0.9);
  }

  private statement(topic: Topic, says: Says): Action {
    const issuer = this.sender();
    const entry = this.worded(topic, says, issuer);
    if (this.random.chance(0.01)) entry.subject = `0x${"00".repeat(topic === "DID" ? 20 : 32)}`;
    return { kind: "state", issuer, topic, says, entry };
  }

  private batch(): Action {
    const topic = this.random.of<Topic>(["DID", "DID", "DataHash"]);
    const says = this.random.of<Says>(["attest", "attest", "revoke"]);
    const issuer = this.sender();
    const entries = Array.from({ length: this.random.between(1, 4) }, () => this.worded(topic, says, issuer));
    return { kind: "stateBatch", issuer, topic, says, entries };
  }

  private signed(): Action[] {
    const { random, now } = this;
    const topic = random.of<Topic>(["DID", "DID", "DID", "DataHash"]);
    const says = random.of<Says>(["attest", "attest", "revoke"]);
    const issuer = this.issuer();
    const entry = this.worded(topic, says, issuer);
    const { statedAt: last } = this.run(topic, entry, issuer);
    const ousted = topic === "DID" ? this.rules.lastOusting(entry.did, entry.subject) : 0;
    const recent = [last - 1, last, last + 1, ousted, ousted + 1].filter(
      (time) => time <= now && time >= now - DAY,
    );
    const usual = [now, now, now - 1, now - HOUR, now - random.between(0, DAY), now - DAY];
    const statedAt = random.chance(0.03)
      ? random.of([now + 1, now - 100 * DAY])
      : random.of(recent.length > 0 && random.chance(0.5) ? recent : usual);
    const deadline = random.chance(0.05)
      ? random.of([now - 1, statedAt + DAY + 1, statedAt - 1])
      : random.of([statedAt + DAY, Math.min(statedAt + DAY, now), Math.min(statedAt + DAY, now + HOUR)]);
    const genuine = random.chance(0.98);
    const letter: Signed = {
      kind: "stateSigned",
      ...{ issuer, topic, says, entry, statedAt, deadline, genuine },
    };
    this.letters.push(letter);
    return random.chance(0.8) ? [letter] : [];
  }

  // Controllers

  private vouch(): Action {
    const { rules } = this;
    const did = this.did();
    const by = this.counting(did);
    const account = this.account(
      (newcomer) => newcomer !== by && rules.isAttested(did, newcomer) && !rules.checkDID(did, newcomer),
    );
    return { kind: "vouchController", by, did, account };
  }

  private object(): Action {
    const { rules } = this;
    const did = this.did();
    const account = this.account((newcomer) => !rules.checkDID(did, newcomer));
    const mayObject = (author: string) => rules.checkDID(did, author) || rules.isLate(did, author);
    const by = this.account(
      (author) => author !== account && mayObject(author) && !rules.authors(did, account).includes(author),
    );
    return { kind: "objectToController", by, did, account };
  }

  private withdraw(): Action {
    const did = this.did();
    const account = this.account((objected) => this.rules.authors(did, objected).length > 0);
    const by = this.account((author) => this.rules.authors(did, account).includes(author));
    return { kind: "withdrawObjection", by, did, account };
  }

  private challenge(): Action {
    const { rules } = this;
    const did = this.did();
    const by = this.account((challenger) => rules.ownershipScore(did, challenger) > 1);
    const incumbent = this.account(
      (account) =>
        account !== by &&
        rules.weight(did, account) > 0 &&
        rules.weight(did, account) < rules.ownershipScore(did, by) &&
        !rules.openChallenge(did, account, by),
    );
    return { kind: "challengeDID", by, did, incumbent };
  }

  private resolve(): Action[] {
    const { random, rules, now } = this;
    const all = [...rules.challenges].map(([name, { openedAt, period }]) => {
      const [did = "", incumbent = "", challenger = ""] = name.split(" ");
      return { did, incumbent, challenger, openedAt, resolvableFrom: openedAt + period };
    });
    if (all.length === 0) return [];
    const wins = (one: (typeof all)[number]) =>
      rules.openChallenge(one.did, one.incumbent, one.challenger) !== undefined &&
      rules.challengeScore(one.did, one.challenger, one.openedAt) > rules.weight(one.did, one.incumbent);
    const due = all.filter(({ resolvableFrom }) => resolvableFrom <= now);
    const { did, incumbent, challenger } = random.preferring(
      due.length > 0 && random.chance(0.9) ? due : all,
      wins,
      0.7,
    );
    return [{ kind: "resolveChallenge", by: this.account(), did, incumbent, challenger }];
  }

  // The owner

  private addIssuer(): Action {
    const { random, rules, cast } = this;
    if (random.chance(0.03)) return { kind: "addIssuer", issuer: `0x${"00".repeat(20)}` };
    const isNew = (issuer: string) => rules.issuers.find(issuer) === undefined;
    return {
      kind: "addIssuer",
      issuer: random.preferring(cast.issuers, isNew, this.hasManyActive() ? 0.2 : 0.9),
    };
  }

  private distrust(): Action {
    const { random, rules, cast, now } = this;
    const isDistrusted = (address: string) => rules.issuers.find(address)?.distrustedSince !== NEVER;
    const candidates = [...cast.issuers, ...cast.fillers].filter((address) => rules.issuers.find(address));
    const spared = !this.hasManyActive();
    const issuer = random.preferring(
      candidates,
      (address) => isDistrusted(address) || !spared,
      spared ? 1 : 0.7,
    );
    const dates = [...rules.pairs]
      .filter(([name]) => name.endsWith(issuer))
      .flatMap(([, events]) => events.flatMap(({ at }) => [at, at + 1, at + DAY, at + DAY + 1]));
    const since = random.chance(0.12)
      ? random.of([0, now + 1])
      : random.of([now, now - HOUR, now - 2 * DAY, ...dates.filter((date) => date <= now).slice(-24)]);
    return { kind: "distrustIssuer", issuer, since };
  }

  private endAttestation(): Action {
    const { random, rules } = this;
    const isOver = (address: string) => !rules.issuers.isActive(address);
    const known = [...rules.pairs.keys()].map((name) => name.split(" "));
    const [topic = "", did = "", subject = "", issuer = ""] = random.preferring(
      known.length > 0 ? known : [["DID", this.did(), this.account(), this.issuer()]],
      ([, , , address = ""]) => isOver(address),
    );
    const another = random.chance(0.1) ? this.issuer(0.5) : issuer;
    return { kind: "endAttestation", topic: topic as Topic, did, subject, issuer: another };
  }

  private set(): Action {
    const { random, rules } = this;
    switch (random.of(["setMaturation", "setMaxTTL", "setChallengePeriod"] as const)) {
      case "setMaturation":
        return {
          kind: "setMaturation",
          seconds: random.of([
            HOUR,
            2 * DAY,
            2 * DAY,
            4 * DAY,
            rules.maxTTL,
            rules.maxTTL - 1,
            30 * DAY + 1,
            1,
          ]),
        };
      case "setMaxTTL":
        return {
          kind: "setMaxTTL",
          seconds: random.of([
            DAY,
            20 * DAY,
            60 * DAY,
            365 * DAY,
            rules.maturation,
            rules.maturation + 1,
            DAY - 1,
          ]),
        };
      case "setChallengePeriod":
        return { kind: "setChallengePeriod", seconds: random.of([2 * DAY, 7 * DAY, 9 * DAY, 2 * DAY - 1]) };
    }
  }

  // The registry

  private major = () => this.random.between(0, 1);

  private mint(): Action {
    const did = this.did();
    const major = this.random.preferring([0, 1], (free) => !this.rules.recordOf(did, free));
    return { kind: "mint", by: this.counting(did), did, major };
  }

  private transfer(): Action[] {
    const did = this.did();
    const major = this.major();
    const holder = this.rules.recordOf(did, major)?.holder;
    if (!holder) return [];
    return [
      { kind: "transfer", by: this.account((account) => account === holder), did, major, to: this.account() },
    ];
  }

  private openReclaim(): Action {
    const { random, rules } = this;
    const did = this.did();
    const major = random.preferring([0, 1], (some) => rules.recordOf(did, some) !== undefined, 0.98);
    const record = rules.recordOf(did, major);
    const by = this.account(
      (account) => rules.checkDID(did, account) && !(record && rules.openedReclaim(record, account)),
    );
    return { kind: "openReclaim", by, did, major };
  }

  private finishReclaim(): Action[] {
    const { random, rules, now } = this;
    const open = [...rules.records].flatMap(([name, { reclaims }]) =>
      [...reclaims].map(([by, { openedAt }]) => {
        const [did = "", major] = name.split(" ");
        return { by, did, major: Number(major), openedAt };
      }),
    );
    if (open.length === 0 || random.chance(0.03)) {
      return [{ kind: "finishReclaim", by: this.account(), did: this.did(), major: this.major() }];
    }
    const { by, did, major } = random.preferring(
      open,
      ({ openedAt }) => openedAt + RECLAIM_WAIT <= now && now < openedAt + RECLAIM_VOID,
      0.95,
    );
    return [{ kind: "finishReclaim", by, did, major }];
  }

  /** The owners of a record give up their DID, so that it can be reclaimed. */
  private depart(): Action[] {
    const { random, rules, cast, now } = this;
    const [name, record] = random.of([...rules.records]) ?? [];
    if (!name || !record) return [];
    const [did = ""] = name.split(" ");
    const leaving = [...new Set([record.minter, record.holder])];
    for (const account of leaving) this.departed.set(account, now + random.of([50, 70, 100]) * DAY);
    return leaving.flatMap((subject) =>
      cast.issuers
        .filter((issuer) => !cast.keyed.includes(issuer))
        .filter((issuer) => isLive(this.run("DID", { did, subject, expiresAt: 0 }, issuer), now))
        .filter(() => random.chance(0.9))
        .map(
          (issuer): Action => ({
            kind: "state",
            ...{ issuer, topic: "DID", says: "revoke", entry: { did, subject, expiresAt: 0 } },
          }),
        ),
    );
  }
}
