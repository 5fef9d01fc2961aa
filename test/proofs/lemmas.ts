import { createRules, DAY, GRACE, type Int, type Run, type Truth, type Z3 } from "./run.ts";

/** Statement about the source, and the same statement about a mutant of the source. */
export interface Lemma {
  name: string;
  /** Function that the lemma mirrors. */
  source: string;
  /** Must hold for all values. */
  claim: Truth;
  /** Same claim with a fault. Must not hold. */
  mutant: Truth;
}

/** Returns the lemmas about runs, distrust, blocks and seats. */
export function listLemmas(z: Z3): Lemma[] {
  const { And, Or, Not, If, Int, Implies, Bool } = z;
  const rules = createRules(z);
  const { settings, maturation, challengePeriod, maxTTL, holds } = rules;
  const { isLive, isMatured, isOverdue, isInCharge, isResisting, isStanding } = rules;
  const [now, at, expiry, maturity] = ["now", "at", "expiry", "maturity"].map((name) => Int.const(name)) as [
    Int,
    Int,
    Int,
    Int,
  ];
  const [since, distrustedAt] = [Int.const("since"), Int.const("distrustedAt")];
  const run = rules.declare("run");
  const stands = And(settings, holds(run, now));
  const sum = (...truths: Truth[]) =>
    truths.reduce((total, truth) => total.add(If(truth, Int.val(1), Int.val(0)) as Int), Int.val(0) as Int);

  // Attest, revoke, end

  const canAttest = rules.canAttest(run, expiry, maturity, now);
  const attested = rules.attest(run, expiry, maturity, now);
  const renewed = rules.renew(run, expiry, now);
  const shortened = { ...renewed, expiresAt: expiry };
  const isRenewable = rules.isRenewable(run, now);
  const unchecked = And(
    expiry.gt(now),
    maturity.ge(now),
    maturity.le(now.add(2 * DAY)),
    expiry.le(now.add(maxTTL)),
  );
  const keepsDates = (next: Run) =>
    And(next.startedAt.eq(run.startedAt), next.maturesAt.eq(run.maturesAt), next.expiresAt.ge(run.expiresAt));

  // Distrust

  const began = And(stands, run.startedAt.lt(since), since.le(distrustedAt), now.le(distrustedAt));
  const left = rules.underDistrust(run, since, distrustedAt);

  // Promise 3 for one run. `honest` is the run without the thief's statements since `since`, `run` with some of them.

  const honest = rules.declare("honest");
  const isStolen = (robbed: Run) =>
    And(
      And(robbed.startedAt.eq(honest.startedAt), robbed.maturesAt.eq(honest.maturesAt)),
      And(robbed.expiresAt.ge(honest.expiresAt), Not(robbed.isEndFinal)),
      Or(robbed.expiresAt.eq(honest.expiresAt), robbed.lengthenedAt.ge(since)),
      Or(robbed.lengthenedAt.eq(honest.lengthenedAt), robbed.lengthenedAt.ge(since)),
      Or(robbed.endedAt.eq(0), And(robbed.endedAt.ge(since), robbed.revokedAt.ge(robbed.endedAt))),
      Or(robbed.revokedAt.eq(0), robbed.revokedAt.ge(since)),
    );
  const theft = And(
    And(settings, holds(honest, now), holds(run, now), isStolen(run)),
    And(honest.startedAt.lt(since), honest.endedAt.eq(0), honest.revokedAt.eq(0), Not(honest.isEndFinal)),
    And(since.le(now), now.lt(since.add(maturation)), now.lt(honest.expiresAt)),
  );
  const withoutWait = rules.canAttest({ ...run, revokedAt: Int.val(0) }, expiry, maturity, now);
  const distrusted = And(theft, distrustedAt.eq(now), at.ge(now));

  // Blocks: three issuers' runs of one account

  const runs = ["first", "second", "third"].map(rules.declare);
  const [blockedAt, until, weight] = [Int.const("blockedAt"), Int.const("until"), Int.const("weight")];
  const opposes = (one: Run, time: Int) => {
    const opposesFrom = one.maturesAt.add(challengePeriod);
    return And(opposesFrom.le(time), opposesFrom.lt(one.expiresAt), isInCharge(one, time));
  };
  const isBlocked = (one: Run, time: Int) =>
    And(
      And(time.lt(until), one.maturesAt.gt(blockedAt)),
      sum(...runs.map((other) => opposes(other, time))).le(weight),
    );
  const controls = (time: Int) =>
    Or(...runs.map((one) => And(isMatured(one, time), Not(isBlocked(one, time)))));
  const blocks = And(
    settings,
    weight.ge(1),
    until.le(now.add(30 * DAY)),
    ...runs.map((one) => holds(one, now)),
  );
  const isCandidate = (time: Int) => And(time.ge(now), time.le(at), controls(time));
  const candidates = (withPeriod: boolean) =>
    Or(
      isCandidate(now),
      isCandidate(until),
      ...runs.map(({ maturesAt }) => isCandidate(maturesAt)),
      ...(withPeriod ? runs.map(({ maturesAt }) => isCandidate(maturesAt.add(challengePeriod))) : []),
    );
  const old = (time: Int) => sum(...runs.map((one) => one.maturesAt.add(challengePeriod).le(time)));

  // The DID's slot

  const claimedAt = Int.const("claimedAt");
  const [first] = runs as [Run];
  const isFirst = And(
    And(settings, holds(first, now), first.startedAt.eq(claimedAt), first.maturesAt.eq(claimedAt)),
    And(first.endedAt.eq(0), at.ge(now), at.lt(first.expiresAt)),
  );

  // Seats

  const retiredAt = Int.const("retiredAt");
  const retired = And(stands, run.lengthenedAt.le(retiredAt), retiredAt.le(now), at.ge(now));
  const seatFreeAt = (tail: number) => retiredAt.add(maxTTL).add(tail);
  const isDead = And(
    ...[isLive, isMatured, isOverdue, isInCharge, isResisting, isStanding].map((is) => Not(is(run, at))),
  );

  return [
    {
      name: "an attestation keeps the run's invariant",
      source: "ResolverWithStore._attest",
      claim: Implies(And(stands, canAttest), holds(attested, now)),
      mutant: Implies(And(stands, unchecked), holds(attested, now)),
    },
    {
      name: "a renewal keeps the beginning and shortens no date",
      source: "RunLib.renew",
      claim: Implies(And(stands, canAttest, isRenewable), And(holds(renewed, now), keepsDates(renewed))),
      mutant: Implies(And(stands, canAttest, isRenewable), And(holds(shortened, now), keepsDates(shortened))),
    },
    {
      name: "a revocation keeps the invariant and ends a renewable run now",
      source: "RunLib.revoke",
      claim: Implies(
        stands,
        And(
          holds(rules.revoke(run, now), now),
          Implies(at.ge(now), Not(isInCharge(rules.revoke(run, now), at))),
        ),
      ),
      mutant: Implies(
        stands,
        And(holds(run, now), Implies(at.ge(now), Not(isInCharge({ ...run, revokedAt: now }, at)))),
      ),
    },
    {
      name: "an end for good keeps the invariant and the date of an earlier end, and leaves no standing",
      source: "RunLib.finalize",
      claim: Implies(
        And(stands, at.ge(now)),
        And(
          holds(rules.finalize(run, since, now), now),
          Implies(run.endedAt.gt(0), rules.finalize(run, since, now).endedAt.le(now)),
          Not(isResisting(rules.finalize(run, since, now), at)),
        ),
      ),
      mutant: Implies(
        And(stands, at.ge(now)),
        Not(isResisting({ ...rules.finalize(run, since, now), isEndFinal: Bool.val(false) }, at)),
      ),
    },
    {
      name: "the states form a lattice",
      source: "RunLib.isIn",
      claim: Implies(
        And(stands, at.ge(now)),
        And(
          Implies(isMatured(run, at), And(isLive(run, at), isInCharge(run, at))),
          Implies(isOverdue(run, at), And(Not(isLive(run, at)), isInCharge(run, at))),
          Implies(isInCharge(run, at), isStanding(run, at)),
          Implies(isStanding(run, at), isResisting(run, at)),
        ),
      ),
      mutant: Implies(And(settings, at.ge(now)), Implies(isInCharge(run, at), isStanding(run, at))),
    },
    {
      name: "distrust never makes a run expire before it matures",
      source: "RunLib.applyDistrust",
      claim: Implies(began, left.maturesAt.lt(left.expiresAt)),
      mutant: Implies(
        began,
        run.maturesAt.lt(rules.underDistrust(run, since, distrustedAt, 13 * DAY).expiresAt),
      ),
    },
    {
      name: "a lengthened run is not lost for 23 days, and lives no longer",
      source: "RunLib.applyDistrust",
      claim: Implies(
        And(began, run.lengthenedAt.ge(since)),
        And(
          Implies(at.lt(distrustedAt.add(23 * DAY)), at.lt(left.expiresAt).eq(at.lt(run.expiresAt))),
          left.expiresAt.le(distrustedAt.add(23 * DAY)).or(left.expiresAt.eq(run.expiresAt)),
          left.expiresAt
            .add(maturation)
            .le(distrustedAt.add(30 * DAY))
            .or(left.expiresAt.eq(run.expiresAt)),
        ),
      ),
      mutant: Implies(
        And(began, run.lengthenedAt.ge(since)),
        rules
          .underDistrust(run, since, distrustedAt, 30 * DAY)
          .expiresAt.add(maturation)
          .le(distrustedAt.add(30 * DAY)),
      ),
    },
    {
      name: "promise 3, step: no statement of a thief replaces a run within a maturation of the theft",
      source: "ResolverWithStore._state",
      claim: And(
        Implies(And(theft, canAttest), isStolen(attested)),
        Implies(theft, isStolen(rules.revoke(run, now))),
      ),
      mutant: Implies(And(theft, withoutWait), isStolen(attested)),
    },
    {
      name: "promise 3, end: distrust in time restores the run, a lengthened one for 23 days",
      source: "ResolverReads._load",
      claim: Implies(
        distrusted,
        And(
          Implies(And(isMatured(honest, at), at.lt(now.add(23 * DAY))), isMatured(left, at)),
          Implies(run.lengthenedAt.lt(since), isInCharge(left, at).eq(isInCharge(honest, at))),
          Implies(run.lengthenedAt.lt(since), isStanding(left, at).eq(isStanding(honest, at))),
        ),
      ),
      mutant: Implies(distrusted, Implies(isMatured(honest, at), isMatured(left, at))),
    },
    {
      name: "controlsFrom misses no second",
      source: "DIDControl.controlsFrom",
      claim: Implies(And(blocks, at.ge(now), controls(at)), candidates(true)),
      mutant: Implies(And(blocks, at.ge(now), controls(at)), candidates(false)),
    },
    {
      name: "a block of weight W holds while at most W issuers matured a challenge period ago",
      source: "DIDControl.blockedAfter",
      claim: Implies(
        And(blocks, at.ge(now), at.lt(until), old(at).le(weight), first.maturesAt.gt(blockedAt)),
        isBlocked(first, at),
      ),
      mutant: Implies(
        And(blocks, at.ge(now), at.lt(until), old(at).le(weight.add(1)), first.maturesAt.gt(blockedAt)),
        isBlocked(first, at),
      ),
    },
    {
      name: "the slot's shortcut equals the general answer",
      source: "ResolverReads.checkDID",
      claim: Implies(And(isFirst, blockedAt.ge(claimedAt.add(maturation))), controls(at)),
      mutant: Implies(isFirst, controls(at)),
    },
    {
      name: "a retired issuer's seat is free only when nothing of it can live",
      source: "ResolverPolicy.retireIssuer",
      claim: Implies(And(retired, at.ge(seatFreeAt(GRACE + DAY))), isDead),
      mutant: Implies(And(retired, at.ge(seatFreeAt(0))), isDead),
    },
  ];
}
