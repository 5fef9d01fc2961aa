// The matchers of other suites make an assertion of chai ten times slower, and this suite makes hundreds of thousands.
import assert from "node:assert/strict";
import { SEED } from "../seed.ts";
import type { Account } from "./account.ts";
import type { Action, Cast, Topic } from "./actions.ts";
import { edges, generate, type History } from "./history.ts";
import { Random } from "./random.ts";
import { Rules } from "./rules.ts";
import { DAY, DISTRUST_TAIL, GRACE, isMatured, isOverdue, isRenewable, NEVER, stoppedAt } from "./runs.ts";

const HISTORIES = process.env.TEST_LONG ? 1_000 : 20;
const LENGTH = 200;
const START = 1_800_000_000;

const addresses = (digit: string, count: number) =>
  Array.from({ length: count }, (_, index) => `0x${digit.repeat(39)}${index}`);
const cast: Cast = {
  dids: ["did:web:example.com", "did:web:example.org"],
  accounts: addresses("a", 7),
  issuers: addresses("b", 9),
  keyed: addresses("c", 1),
  fillers: addresses("d", 10),
  dataHashes: ["1", "2"].map((digit) => `0x${digit.repeat(64)}`),
};

const seeds = Array.from({ length: HISTORIES }, (_, index) => SEED + index);
const getHistory = (seed: number) => generate(seed, cast, START, LENGTH);

/** Performs the first bursts of a history. Calls `onBurst` after each. */
function replay({ settings, bursts }: History, count = bursts.length, onBurst = (_: Rules) => {}): Rules {
  const rules = new Rules(settings);
  for (const { at, actions } of bursts.slice(0, count)) {
    rules.now = at;
    for (const action of actions) rules.perform(action);
    onBurst(rules);
  }
  return rules;
}

/** Returns the seconds, from now on, near every time at which an answer may change. */
function moments(...all: Rules[]): number[] {
  const now = all[0]?.now ?? 0;
  const around = all.flatMap(edges).flatMap((time) => [time - 1, time, time + 1]);
  return [...new Set([now, ...around])].filter((time) => time >= now).sort((one, other) => one - other);
}

const pairs = cast.dids.flatMap((did) => cast.accounts.map((account) => ({ did, account })));

function listAnswers(answers: Account, at: number) {
  return {
    controls: answers.controls(at),
    inCharge: answers.isInCharge(at),
    attested: answers.isAttested(at),
    controlsFrom: answers.controlsFrom(at),
    blockedUntil: answers.blockedUntil(at),
    score: answers.score(at),
    resistance: answers.resistance(at),
    resistsReclaim: answers.resistsReclaim(at),
  };
}

describe("Model in random histories", function () {
  this.timeout(0);

  it("gives consistent answers", () => {
    for (const seed of seeds) {
      replay(getHistory(seed), undefined, (rules) => {
        for (const { did, account } of pairs) {
          const { now } = rules;
          const answers = listAnswers(rules.account(did, account), now);
          const { controls, inCharge, attested, controlsFrom, blockedUntil, score, resistance } = answers;
          const where = `seed ${seed} at ${now}: ${JSON.stringify(answers)}`;
          assert.equal(controls, controlsFrom === now, where);
          assert(!controls || (inCharge && attested && score > 0), where);
          assert(!inCharge || (answers.resistsReclaim && blockedUntil === 0), where);
          assert(score === 0 || inCharge || blockedUntil > now, where);
          assert(score <= resistance, where);
        }
      });
    }
  });

  it("predicts the first second of control", () => {
    for (const seed of seeds) {
      replay(getHistory(seed), undefined, (rules) => {
        const coming = moments(rules);
        for (const { did, account } of pairs) {
          const answers = rules.account(did, account);
          const first = coming.find(answers.controls) ?? 0;
          assert.equal(answers.controlsFrom(rules.now), first, `seed ${seed} at ${rules.now}`);
        }
      });
    }
  });

  it("restores the answers as of a leak by distrust in time, with the documented exceptions", () => {
    const seen = { harmed: 0, restored: 0, lengthened: 0, overwritten: 0 };
    for (const seed of seeds) {
      const theft = steal(seed);
      if (!theft) continue;
      const { honest, robbed, dids, wasHarmed, lengthened, overwritten } = theft;
      seen.harmed += Number(wasHarmed);
      const restoredUntil = honest.now + DISTRUST_TAIL;
      const coming = moments(honest, robbed);
      for (const { did, account } of pairs) {
        const name = getName("DID", did, account);
        const [inHonest, inRobbed] = [honest.account(did, account), robbed.account(did, account)];
        for (const at of coming) {
          const [expected, actual] = [listAnswers(inHonest, at), listAnswers(inRobbed, at)];
          const where = `seed ${seed}, ${account} of ${did} at ${at}, distrust at ${honest.now}`;
          if (lengthened.has(name)) {
            seen.lengthened++;
            if (at < restoredUntil && expected.controls) assert(actual.controls, where);
            continue;
          }
          if (overwritten.has(name)) {
            seen.overwritten++;
            const { resistance, resistsReclaim } = expected;
            Object.assign(actual, { resistance, resistsReclaim });
          }
          assert.deepEqual(actual, expected, where);
          seen.restored++;
        }
      }
      for (const did of dids) {
        for (const dataHash of cast.dataHashes) {
          if (lengthened.has(getName("DataHash", did, dataHash))) continue;
          const liveAt = (rules: Rules) => coming.filter((at) => rules.checkDataHash(did, dataHash, at));
          assert.deepEqual(liveAt(robbed), liveAt(honest), `seed ${seed}, ${dataHash} of ${did}`);
        }
      }
    }
    assert(
      Object.values(seen).every((count) => count > 0),
      JSON.stringify(seen),
    );
  });

  it("reaches every state that the rules distinguish", () => {
    const reached = {
      ...{ blocked: 0, overruled: 0, overdue: 0, unrevoked: 0, shortened: 0, revokedStanding: 0, ended: 0 },
      ...{ maturedBeforeBlock: 0, lateBlocked: 0, challenged: 0, removed: 0, reclaimed: 0, bounded: 0 },
    };
    for (const seed of seeds) {
      replay(getHistory(seed), undefined, (rules) => {
        const { now } = rules;
        for (const { did, account } of pairs) {
          const answers = rules.account(did, account);
          const block = rules.blockOn(did, account);
          for (const { run, issuer, events } of rules.stated("DID", did, account)) {
            if (!run) continue;
            const isBlocked = answers.isBlocked(run, now);
            const isNewer = block !== undefined && run.maturesAt > block.blockedAt;
            const isOlder = block !== undefined && run.maturesAt <= block.blockedAt;
            const { distrustedSince = NEVER } = rules.issuers.find(issuer) ?? {};
            const isUnrevoked = events.at(-1)?.is === "revoke" && stoppedAt(run) === NEVER;
            reached.blocked += Number(isBlocked && isMatured(run, now));
            reached.lateBlocked += Number(isBlocked && isOverdue(run, now));
            reached.overruled += Number(isMatured(run, now) && isNewer && !isBlocked);
            reached.maturedBeforeBlock += Number(isOlder && isRenewable(run, now));
            reached.overdue += Number(isOverdue(run, now) && answers.isInCharge(now));
            reached.unrevoked += Number(distrustedSince !== NEVER && isUnrevoked && isRenewable(run, now));
            reached.shortened += Number(run.lengthenedAt >= distrustedSince);
            reached.revokedStanding += Number(run.revokedAt !== NEVER && now < run.revokedAt + GRACE);
            reached.ended += Number(run.endedAt !== NEVER);
          }
          const from = answers.controlsFrom(now);
          reached.bounded += Number(from > now && from === block?.until);
        }
        reached.challenged += rules.challenges.size;
        reached.removed += rules.removals.size;
        reached.reclaimed += [...rules.records.values()].filter(({ reclaims }) => reclaims.size > 1).length;
      });
    }
    assert(
      Object.values(reached).every((count) => count > 0),
      JSON.stringify(reached),
    );
  });
});

const getName = (topic: Topic, did: string, subject: string) => [topic, did, subject].join(" ");

/**
 * Returns two models that differ only in the statements of a leaked key between its leak and the distrust of its
 * issuer, less than the maturation later. Also returns the pairs to which the exceptions apply.
 */
function steal(seed: number) {
  const random = new Random(seed + 1_000_000);
  const history = getHistory(seed);
  const count = random.between(2, history.bursts.length);
  const [honest, robbed] = [replay(history, count), replay(history, count)];
  const { maturation, maxTTL } = honest.settings;
  const leakedAt = honest.now + random.between(1, 3 * DAY);
  const end = leakedAt + random.between(0, maturation - 1);
  const active = cast.issuers.filter(honest.issuers.isActive);
  // Distrust does not undo a thief's claim of a DID, so use only claimed DIDs.
  const dids = cast.dids.filter((did) => honest.claims.has(did));
  if (active.length === 0 || dids.length === 0) return undefined;
  const thief = random.of(active);
  const lengthened = new Set<string>();
  const overwritten = new Set<string>();
  let wasHarmed = false;

  const times = Array.from({ length: 25 }, () => random.between(leakedAt, end)).sort(
    (one, other) => one - other,
  );
  for (const now of times) {
    honest.now = robbed.now = now;
    const issuer = random.chance(0.8) ? thief : random.of(active);
    const topic = random.of<Topic>(["DID", "DID", "DataHash"]);
    const subject = random.of(topic === "DID" ? cast.accounts : cast.dataHashes);
    const lifetime = random.of([maxTTL, maturation + 1, 10 * DAY, 2 * maturation]);
    const entry = { did: random.of(dids), subject, expiresAt: now + Math.min(maxTTL, lifetime) };
    const says = random.of(["attest", "revoke"] as const);
    const action: Action = { kind: "state", issuer, topic, says, entry };
    if (issuer !== thief) honest.perform(action);
    const runNow = () =>
      robbed.stated(topic, entry.did, subject).find((stated) => stated.issuer === issuer)?.run;
    const before = runNow();
    const isDone = robbed.perform(action).length === 0;
    if (!isDone || issuer !== thief) continue;
    const name = getName(topic, entry.did, subject);
    const after = runNow();
    if (says === "attest" && before?.startedAt === after?.startedAt) lengthened.add(name);
    else if (says === "attest" && before && before.revokedAt < leakedAt) overwritten.add(name);
    wasHarmed ||= pairs.some(
      ({ did, account }) => honest.checkDID(did, account) && !robbed.checkDID(did, account),
    );
  }
  for (const rules of [honest, robbed]) {
    rules.now = end;
    rules.perform({ kind: "distrustIssuer", issuer: thief, since: leakedAt });
  }
  return { honest, robbed, dids, wasHarmed, lengthened, overwritten };
}
