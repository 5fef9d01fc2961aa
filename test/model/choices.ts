import type { Action, BlockRequest, Cast, Entry, Of, Says, Topic } from "./actions.ts";
import type { Random } from "./random.ts";
import { MAX_BLOCK } from "./resolver.ts";
import { RECLAIM_FROM, RECLAIM_UNTIL, type Rules } from "./rules.ts";
import { DAY, HOUR, isLive, NEVER } from "./runs.ts";

type Signed = Of<"stateSigned">;

const MAJORS = [0, 1, 2, 3];

/** Draws random actions, most of which the rules accept. */
export class Choices {
  private readonly random: Random;
  private readonly rules: Rules;
  private readonly cast: Cast;
  private readonly weights: Record<string, number>;
  /** Signed statements, to be submitted later or again. */
  private readonly letters: Signed[] = [];
  /** Accounts that gave up their DID. They are rarely attested before that time. */
  private readonly departed = new Map<string, number>();

  /** Weights with which each kind of action is drawn. Each history varies them. */
  private readonly draws: Record<string, [weight: number, draw: () => Action[]]> = {
    attestDID: [30, () => [this.statement("DID", "attest")]],
    revokeDID: [7, () => [this.statement("DID", "revoke")]],
    attestDataHash: [3, () => [this.statement("DataHash", "attest")]],
    revokeDataHash: [1.5, () => [this.statement("DataHash", "revoke")]],
    batch: [4, () => [this.batch()]],
    signed: [16, () => this.signed()],
    delivered: [6, () => (this.letters.length > 0 ? [this.random.of(this.letters.slice(-12))] : [])],
    block: [10, () => [this.block()]],
    blockBatch: [2, () => [this.blockBatch()]],
    unblock: [2, () => [this.unblock()]],
    challenge: [6, () => [this.challenge()]],
    resolve: [7, () => this.resolve()],
    addIssuer: [2, () => [this.addIssuer()]],
    retireIssuer: [0.7, () => [this.retireIssuer()]],
    distrustIssuer: [1.4, () => [this.distrust()]],
    endAttestation: [1.5, () => [this.endAttestation()]],
    mint: [4, () => [this.mint()]],
    transfer: [2, () => this.transfer()],
    openReclaim: [5, () => [this.openReclaim()]],
    finishReclaim: [5, () => [this.finishReclaim()]],
    act: [3, () => [this.act()]],
    depart: [2.5, () => this.depart()],
  };

  constructor(random: Random, rules: Rules, cast: Cast) {
    this.random = random;
    this.rules = rules;
    this.cast = cast;
    const shifted = Object.entries(this.draws).map(([name, [weight]]) => [
      name,
      weight * random.of([0.3, 1, 1, 3]),
    ]);
    this.weights = Object.fromEntries(shifted);
  }

  next = (): Action[] => this.draws[this.random.weighted(this.weights)]?.[1]() ?? [];

  private get now() {
    return this.rules.now;
  }

  private did = () => this.random.of(this.cast.dids);
  private account = (fits: (account: string) => boolean = () => true) =>
    this.random.preferring(this.cast.accounts, fits);
  private controller = (did: string) => this.account((account) => this.rules.checkDID(did, account));
  private isInCharge = (did: string, account: string) =>
    this.rules.account(did, account).isInCharge(this.now);
  private issuer = (often = 0.94) =>
    this.random.preferring(this.cast.issuers, this.rules.issuers.isActive, often);
  /** Draws an issuer that can send its own transactions. */
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

  private stated = (topic: Topic, { did, subject }: Entry, issuer: string) =>
    this.rules.stated(topic, did, subject).find((stated) => stated.issuer === issuer);
  private isLive(topic: Topic, entry: Entry, issuer: string): boolean {
    const run = this.stated(topic, entry, issuer)?.run;
    return run !== undefined && isLive(run, this.now);
  }

  private entry(topic: Topic, from = this.now): Entry {
    const expiresAt = this.random.chance(0.35) ? 0 : from + this.lifetime();
    return { did: this.did(), subject: this.subject(topic), expiresAt };
  }

  private lifetime(): number {
    const { random } = this;
    const { maturation, challengePeriod, maxTTL } = this.rules.settings;
    if (random.chance(0.04)) return random.of([-DAY, 0, maxTTL + 1]);
    const edges = [maturation, maturation + 1, 2 * maturation, maturation + challengePeriod];
    if (random.chance(0.1)) return random.of([maxTTL, ...edges, maturation + challengePeriod + 1]);
    const lifetime = random.of([HOUR, DAY, 3 * DAY, 5 * DAY, 10 * DAY, 20 * DAY, 40 * DAY, 90 * DAY]);
    return Math.min(maxTTL, lifetime + random.between(0, 2));
  }

  /** Draws the entry of a statement. Most revocations are of a live attestation. */
  private worded(topic: Topic, says: Says, issuer: string): Entry {
    if (says === "attest") return this.entry(topic);
    const some = Array.from({ length: 6 }, () => this.entry(topic));
    return this.random.preferring(some, (entry) => this.isLive(topic, entry, issuer), 0.9);
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
    const last = this.stated(topic, entry, issuer)?.events.findLast((event) => event.is !== "end");
    const [newest, removed] = [
      last?.statedAt ?? 0,
      this.rules.removals.get(`${entry.did} ${entry.subject}`) ?? 0,
    ];
    const recent = [newest - 1, newest, newest, newest + 1, removed, removed + 1].filter(
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

  private request(did: string, by: string): BlockRequest {
    const { random, rules, now } = this;
    const isNewcomer = (account: string) =>
      account !== by && !this.isInCharge(did, account) && rules.account(did, account).isAttested(now);
    const account = random.chance(0.6)
      ? this.account(isNewcomer)
      : this.account((other) => other !== by && !this.isInCharge(did, other));
    const until = random.chance(0.06)
      ? random.of([now, now + MAX_BLOCK + 1])
      : now + random.of([1, HOUR, DAY, 5 * DAY, 15 * DAY, MAX_BLOCK, MAX_BLOCK, MAX_BLOCK]);
    return { did, account, until };
  }

  private block(): Action {
    const did = this.did();
    const by = this.account((account) => this.isInCharge(did, account));
    return { kind: "block", by, request: this.request(did, by) };
  }

  private blockBatch(): Action {
    const dids = Array.from({ length: this.random.between(1, 3) }, this.did);
    const by = this.account((account) => dids.every((did) => this.isInCharge(did, account)));
    const requests = dids.map((did) => this.request(did, by));
    const [did] = dids as [string];
    const inCharge = this.cast.accounts.find((account) => account !== by && this.isInCharge(did, account));
    if (inCharge && this.now % 2 === 0) requests.unshift({ did, account: inCharge, until: this.now + DAY });
    return { kind: "blockBatch", by, requests };
  }

  private unblock(): Action {
    const did = this.did();
    const account = this.account((blocked) => this.rules.blockOn(did, blocked) !== undefined);
    return { kind: "unblock", by: this.account((other) => this.isInCharge(did, other)), did, account };
  }

  private challenge(): Action {
    const { rules } = this;
    const did = this.did();
    const score = (account: string) => rules.account(did, account).score(this.now);
    const by = this.account((challenger) => score(challenger) > 1);
    const incumbent = this.account((account) => {
      const resistance = rules.account(did, account).resistance(this.now);
      const isWeaker = resistance > 0 && resistance < score(by);
      return account !== by && isWeaker && rules.openChallenge(did, account, by) === undefined;
    });
    return { kind: "challengeDID", by, did, incumbent };
  }

  private resolve(): Action[] {
    const { random, rules, now } = this;
    const all = [...rules.challenges].map(([name, openedAt]) => {
      const [did = "", incumbent = "", challenger = ""] = name.split(" ");
      return {
        did,
        incumbent,
        challenger,
        openedAt,
        resolvableFrom: openedAt + rules.settings.challengePeriod,
      };
    });
    if (all.length === 0) return [];
    const wins = (one: (typeof all)[number]) =>
      rules.openChallenge(one.did, one.incumbent, one.challenger) !== undefined &&
      rules.wins(one.did, one.incumbent, one.challenger, one.openedAt);
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

  private retireIssuer(): Action {
    return { kind: "retireIssuer", issuer: this.issuer(this.hasManyActive() ? 0.9 : 0) };
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
      .flatMap(([, events]) =>
        events.flatMap((event) => (event.is === "end" ? [] : [event.at, event.at + 1])),
      );
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

  // The registry

  private major = () => this.random.of(MAJORS);

  private mint(): Action {
    const did = this.did();
    const major = this.random.preferring(MAJORS, (free) => !this.rules.recordOf(did, free));
    return { kind: "mint", by: this.controller(did), did, major };
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
    const major = random.preferring(MAJORS, (some) => rules.recordOf(did, some) !== undefined, 0.98);
    const record = rules.recordOf(did, major);
    const by = this.account(
      (account) =>
        rules.checkDID(did, account) && !(record && rules.openReclaimOf(record, account) !== undefined),
    );
    return { kind: "openReclaim", by, did, major };
  }

  private finishReclaim(): Action {
    const { random, rules, now } = this;
    const open = [...rules.records].flatMap(([name, { reclaims }]) =>
      [...reclaims].map(([by, { openedAt }]) => {
        const [did = "", major] = name.split(" ");
        return { by, did, major: Number(major), openedAt };
      }),
    );
    if (open.length === 0 || random.chance(0.03)) {
      return { kind: "finishReclaim", by: this.account(), did: this.did(), major: this.major() };
    }
    const { by, did, major } = random.preferring(
      open,
      ({ openedAt }) => openedAt + RECLAIM_FROM <= now && now < openedAt + RECLAIM_UNTIL,
      0.95,
    );
    return { kind: "finishReclaim", by, did, major };
  }

  /** Draws an action that ends reclaims if an owner of the record performs it. */
  private act(): Action {
    const { random, rules } = this;
    const did = this.did();
    const major = random.preferring(MAJORS, (some) => rules.recordOf(did, some) !== undefined, 0.98);
    const { minter = "", holder = "", status = 0 } = rules.recordOf(did, major) ?? {};
    const by = random.chance(0.7)
      ? this.account((account) => [minter, holder].includes(account) && rules.checkDID(did, account))
      : this.controller(did);
    const kind = random.of(["dismissReclaims", "update", "republish", "updateStatus"] as const);
    const record = { by, did, major };
    if (kind !== "updateStatus") return { kind, ...record };
    return {
      kind,
      ...record,
      status: random.preferring([0, 1, 2, 3], (other) => other !== status && other < 3),
    };
  }

  /** Revokes the owners of a record, so that it can be reclaimed. */
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
        .filter((issuer) => this.isLive("DID", { did, subject, expiresAt: 0 }, issuer))
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
