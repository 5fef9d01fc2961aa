// Chai's assertions take ten times as long, see properties.test.ts.
import assert from "node:assert/strict";
import { SEED } from "../seed.ts";
import type { Action, Says } from "./actions.ts";
import { Random } from "./random.ts";
import { Rules } from "./rules.ts";
import { DAY, GRACE, HOUR, isMatured } from "./runs.ts";

const HISTORIES = process.env.TEST_LONG ? 1_000 : 50;
const ACTIONS = 60;
const maturation = 2 * DAY;
const challengePeriod = 7 * DAY;

const did = "did:web:example.com";
const toAddress = (digit: string) => `0x${digit.repeat(40)}`;
const [ada, ben, cleo] = ["a", "b", "c"].map(toAddress) as [string, string, string];
const [publisher, partner, seller, thief, stranger] = ["1", "2", "3", "4", "5"].map(toAddress) as [
  ...[string, string, string, string, string],
];

/** History of one DID with three issuers, in which anybody may try anything. Most attempts are refused. */
class World {
  readonly rules = new Rules({ maturation, challengePeriod, maxTTL: 365 * DAY });
  readonly random: Random;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.rules.now = 1_800_000_000;
    for (const issuer of [ada, ben, cleo]) this.performs({ kind: "addIssuer", issuer });
  }

  get now() {
    return this.rules.now;
  }
  passes(seconds: number) {
    this.rules.now += seconds;
  }
  passesUntil(time: number) {
    this.rules.now = time;
  }

  /** Performs an action, and returns true unless it was refused. */
  performs = (action: Action) => this.rules.perform(action).length === 0;
  controls = (account: string) => this.rules.checkDID(did, account);
  account = (account: string) => this.rules.account(did, account);

  private states(issuer: string, says: Says, subject: string, lifetime?: number): Action {
    const entry = { did, subject, expiresAt: lifetime === undefined ? 0 : this.now + lifetime };
    return { kind: "state", topic: "DID", says, issuer, entry };
  }
  attests = (issuer: string, account: string, lifetime?: number) =>
    this.performs(this.states(issuer, "attest", account, lifetime));
  revokes = (issuer: string, account: string) => this.performs(this.states(issuer, "revoke", account));
  /** Lets issuers attest an account, and waits until its runs have matured. */
  matures(account: string, ...issuers: string[]) {
    for (const issuer of issuers) this.attests(issuer, account);
    this.passes(2 * maturation);
  }
  blocks = (by: string, account: string, seconds = 30 * DAY) =>
    this.performs({ kind: "block", by, request: { did, account, until: this.now + seconds } });

  /** Draws a statement of one of the issuers about one of the accounts, direct, in a batch, or signed and dated back. */
  drawStatement(issuers: string[], accounts: string[]): Action {
    const { random, now } = this;
    const issuer = random.of(issuers);
    const subject = random.of(accounts);
    const statedAt = now - random.between(0, DAY - 1);
    const dates = { statedAt, deadline: statedAt + DAY, genuine: true };
    const entry = { did, subject, expiresAt: random.of([0, statedAt + DAY]) };
    const entries = accounts.map((account) => ({ did, subject: account, expiresAt: 0 }));
    const lifetime = random.of([1, HOUR, 47 * HOUR, 3 * DAY, 30 * DAY, 300 * DAY]);
    const says = random.chance(0.15) ? "revoke" : "attest";
    return random.of<Action>([
      this.states(issuer, says, subject, random.of([undefined, lifetime])),
      { kind: "stateBatch", topic: "DID", says: "attest", issuer, entries },
      { kind: "stateSigned", topic: "DID", says, issuer, entry, ...dates },
    ]);
  }

  /** Draws a block, a challenge or a reclaim by one of the actors against one of the accounts. */
  drawAct(actors: string[], accounts: string[]): Action {
    const { random } = this;
    const by = random.of(actors);
    const account = random.of(accounts);
    const until = this.now + random.of([30 * DAY, DAY * random.between(1, 400)]);
    return random.of<Action>([
      { kind: "block", by, request: { did, account, until } },
      { kind: "unblock", by, did, account },
      { kind: "challengeDID", by, did, incumbent: account },
      { kind: "resolveChallenge", by, did, incumbent: account, challenger: by },
      { kind: "openReclaim", by, did, major: 1 },
      { kind: "finishReclaim", by, did, major: 1 },
    ]);
  }

  /** Draws an action of one of the actors on a record. */
  drawRecordAct(actors: string[]): Action {
    const { random } = this;
    const record = { by: random.of(actors), did, major: random.between(0, 2) };
    const kinds = ["mint", "update", "dismissReclaims", "openReclaim", "finishReclaim"] as const;
    return random.of<Action>([
      ...kinds.map((kind) => ({ kind, ...record })),
      { kind: "updateStatus", ...record, status: random.between(0, 2) },
    ]);
  }
}

/** Runs a test against as many random histories as configured. */
const everyHistory = (test: (w: World) => void) => () => {
  for (let seed = SEED; seed < SEED + HISTORIES; seed++) {
    try {
      test(new World(seed));
    } catch (cause) {
      throw new Error(`In the history of seed ${seed}`, { cause });
    }
  }
};

describe(`Promises of docs/control.md, against ${ACTIONS} random hostile actions`, () => {
  // @threat contracts: Gain or regain control before the attestation matures
  it(
    "an account controls a claimed DID only after its attestation was in place for the maturation",
    everyHistory((w) => {
      const { random } = w;
      const accounts = [publisher, partner, seller, thief];
      w.attests(ada, publisher);
      const claimedAt = w.now;
      /** Time at which each account was last seen without a live or overdue run. */
      const strangerAt = new Map<string, number>();
      let counted = 0;
      for (let count = 0; count < ACTIONS; count++) {
        const isSiege = random.chance(0.07);
        const [challenger, incumbent] = [random.of(accounts), random.of(accounts)];
        if (isSiege) {
          for (const issuer of [ben, cleo]) w.attests(issuer, challenger);
          w.performs({ kind: "challengeDID", by: challenger, did, incumbent });
          w.passes(challengePeriod);
          w.performs({ kind: "resolveChallenge", by: challenger, did, incumbent, challenger });
        } else if (random.chance(0.6)) w.performs(w.drawStatement([ada, ben, cleo], accounts));
        else w.performs(w.drawAct(accounts, accounts));
        if (random.chance(0.5)) w.passes(random.between(1, 4 * DAY));
        for (const account of accounts) {
          const answers = w.account(account);
          if (!answers.isAttested(w.now) && !answers.isInCharge(w.now)) strangerAt.set(account, w.now);
          if (!w.controls(account)) continue;
          const ready = w.rules
            .stated("DID", did, account)
            .flatMap(({ run }) => run ?? [])
            .filter((run) => isMatured(run, w.now) && !answers.isBlocked(run, w.now));
          counted++;
          const isFirst = ready.some(({ startedAt }) => startedAt === claimedAt);
          const isInPlace = ready.some(({ startedAt }) => startedAt + maturation <= w.now);
          const wasStranger = strangerAt.get(account) ?? 0;
          assert(isFirst || (isInPlace && wasStranger + maturation <= w.now));
        }
      }
      assert(counted > 0);
    }),
  );

  // @threat contracts: Use the gap before a late renewal
  it(
    "a publisher whose renewal is overdue by less than the grace loses nothing",
    everyHistory((w) => {
      const { random } = w;
      const hostile = [partner, stranger, thief];
      const startedAt = w.now;
      const expiresAt = startedAt + 30 * DAY;
      w.attests(ada, publisher, 30 * DAY);
      w.performs({ kind: "mint", by: publisher, did, major: 1 });
      w.matures(partner, cleo);
      w.passesUntil(expiresAt);
      assert(!w.controls(publisher));
      for (let count = 0; count < ACTIONS; count++) {
        if (random.chance(0.6)) w.performs(w.drawStatement([ben, cleo], [...hostile, publisher]));
        else w.performs(w.drawAct(hostile, [publisher, ...hostile]));
        w.passes(random.between(0, Math.floor((GRACE - 1) / ACTIONS)));
        assert(w.account(publisher).resistance(w.now) > 0);
      }
      w.passesUntil(expiresAt + GRACE - 1);
      assert(w.attests(ada, publisher) && w.controls(publisher));
      const [{ run } = {}] = w.rules.stated("DID", did, publisher);
      assert.equal(run?.startedAt, startedAt);
      assert.equal(w.rules.blockOn(did, publisher), undefined);
      assert(w.performs({ kind: "update", by: publisher, did, major: 1 }));
    }),
  );

  // @threat contracts: Overrule a block, or wait under it until the publisher moves
  it(
    "a block in time by a publisher with one issuer is not overruled within a maturation and the challenge period",
    everyHistory((w) => {
      const { random } = w;
      const hijackers = [thief, stranger];
      w.matures(publisher, ada);
      w.matures(partner, ben);
      for (const hijacker of hijackers) w.attests(cleo, hijacker);
      const end = w.now + maturation + challengePeriod;
      w.passes(random.between(0, maturation - 1));
      for (const hijacker of hijackers) assert(w.blocks(publisher, hijacker));
      while (w.now < end) {
        if (random.chance(0.6)) w.performs(w.drawStatement([ben, cleo], [...hijackers, partner]));
        else w.performs(w.drawAct(hijackers, [publisher, ...hijackers]));
        assert.deepEqual([...hijackers, publisher].map(w.controls), [false, false, true]);
        w.passes(random.between(1, 6 * HOUR));
      }
    }),
  );

  // @threat contracts: Block longer, earlier or wider than allowed
  it(
    "a griefer has no effect for more than 30 days and the grace after its last attestation ended",
    everyHistory((w) => {
      const { random } = w;
      const griefers = [seller, thief, stranger];
      w.attests(ada, seller);
      w.performs({ kind: "mint", by: seller, did, major: 1 });
      w.matures(publisher, ada, ben);
      w.matures(thief, cleo);
      /** Performs one random action of a griefer, and returns true unless it was refused. */
      function grieves() {
        const accounts = [publisher, partner, ...griefers];
        const isDone = w.performs(
          random.chance(0.5) ? w.drawAct(griefers, accounts) : w.drawRecordAct(griefers),
        );
        const [by, to] = [random.of(griefers), random.of(griefers)];
        w.performs({ kind: "transfer", by, did, major: 1, to });
        w.passes(random.between(1, 12 * HOUR));
        return isDone;
      }
      for (let count = 0; count < ACTIONS; count++) {
        grieves();
        w.performs(w.drawStatement([cleo], griefers));
      }
      for (const days of [400, 60, 31, 30]) w.blocks(seller, partner, days * DAY);
      assert(w.rules.blockOn(did, partner));
      w.performs({ kind: "distrustIssuer", issuer: cleo, since: 0 });
      w.revokes(ada, seller);
      const endedAt = w.now;
      w.attests(ben, partner);

      while (w.now < endedAt + GRACE - 12 * HOUR) assert(!grieves());
      const majors = [0, 1, 2].filter((major) => w.rules.recordOf(did, major));
      w.passesUntil(endedAt + GRACE);
      for (const major of majors) assert(w.performs({ kind: "openReclaim", by: publisher, did, major }));
      w.passesUntil(endedAt + 30 * DAY);
      assert(w.controls(partner));
      w.passesUntil(endedAt + GRACE + 30 * DAY);
      for (const major of majors) {
        assert(w.performs({ kind: "finishReclaim", by: publisher, did, major }));
        assert(w.performs({ kind: "update", by: publisher, did, major }));
      }
    }),
  );
});
