import type { Arith, Bool, Context } from "z3-solver";

export type Z3 = Context<"proofs">;
export type Int = Arith<"proofs">;
export type Truth = Bool<"proofs">;

export const DAY = 86_400;
/** `RunLib.GRACE` */
export const GRACE = 7 * DAY;
/** `RunLib.DISTRUSTED_LIFE` */
export const DISTRUSTED_LIFE = 23 * DAY;

/** `Run`, with unbounded dates. 0 stands for no date. */
export interface Run {
  startedAt: Int;
  maturesAt: Int;
  expiresAt: Int;
  lengthenedAt: Int;
  endedAt: Int;
  revokedAt: Int;
  isEndFinal: Truth;
}

/** Rules of contracts/libraries/Run.sol over unbounded integers, and every allowed setting. */
export function createRules(z: Z3) {
  const { And, Or, Not, If, Int, Bool } = z;
  const max = (one: Int, other: Int) => If(one.ge(other), one, other) as Int;
  const zero = Int.val(0);
  const maturation = Int.const("maturation");
  const challengePeriod = Int.const("challengePeriod");
  const maxTTL = Int.const("maxTTL");
  /** Bounds that the resolver's constructor enforces. */
  const settings = And(
    And(maturation.ge(3_600), maturation.le(7 * DAY)),
    And(challengePeriod.ge(7 * DAY), challengePeriod.le(60 * DAY)),
    And(maxTTL.ge(30 * DAY), maxTTL.le(730 * DAY)),
  );

  const declare = (name: string): Run => ({
    startedAt: Int.const(`${name}.startedAt`),
    maturesAt: Int.const(`${name}.maturesAt`),
    expiresAt: Int.const(`${name}.expiresAt`),
    lengthenedAt: Int.const(`${name}.lengthenedAt`),
    endedAt: Int.const(`${name}.endedAt`),
    revokedAt: Int.const(`${name}.revokedAt`),
    isEndFinal: Bool.const(`${name}.isEndFinal`),
  });

  /** Invariant of a run that exists, at `now`. */
  const holds = (run: Run, now: Int) =>
    And(
      run.startedAt.gt(0),
      run.startedAt.le(now),
      run.startedAt.le(run.maturesAt),
      run.maturesAt.le(run.startedAt.add(maturation).add(maturation)),
      run.maturesAt.lt(run.expiresAt),
      And(run.startedAt.le(run.lengthenedAt), run.lengthenedAt.le(now), run.lengthenedAt.lt(run.expiresAt)),
      run.expiresAt.le(run.lengthenedAt.add(maxTTL)),
      Or(run.endedAt.eq(0), And(run.startedAt.le(run.endedAt), run.endedAt.le(now))),
      Or(Not(run.isEndFinal), run.endedAt.gt(0)),
      And(run.revokedAt.ge(0), run.revokedAt.le(now)),
    );

  // `RunLib.end` and `RunLib.isIn`
  const end = (run: Run) =>
    If(And(run.endedAt.neq(0), run.endedAt.lt(run.expiresAt)), run.endedAt, run.expiresAt) as Int;
  const isLive = (run: Run, at: Int) => at.lt(end(run));
  const isMatured = (run: Run, at: Int) => And(isLive(run, at), run.maturesAt.le(at));
  const isOverdue = (run: Run, at: Int) =>
    And(run.endedAt.eq(0), end(run).le(at), at.lt(end(run).add(GRACE)));
  const isInCharge = (run: Run, at: Int) => Or(isOverdue(run, at), isMatured(run, at));
  const isResisting = (run: Run, at: Int) => And(Not(run.isEndFinal), at.lt(end(run).add(GRACE)));
  const isStanding = (run: Run, at: Int) =>
    And(isResisting(run, at), run.maturesAt.le(at), run.maturesAt.lt(end(run)));
  const isRenewable = (run: Run, now: Int) => Or(isLive(run, now), isOverdue(run, now));

  /** Returns `one` if the condition holds, else `other`, field by field. */
  const choose = (condition: Truth, one: Run, other: Run): Run => ({
    startedAt: If(condition, one.startedAt, other.startedAt) as Int,
    maturesAt: If(condition, one.maturesAt, other.maturesAt) as Int,
    expiresAt: If(condition, one.expiresAt, other.expiresAt) as Int,
    lengthenedAt: If(condition, one.lengthenedAt, other.lengthenedAt) as Int,
    endedAt: If(condition, one.endedAt, other.endedAt) as Int,
    revokedAt: If(condition, one.revokedAt, other.revokedAt) as Int,
    isEndFinal: Or(And(condition, one.isEndFinal), And(Not(condition), other.isEndFinal)),
  });

  // `RunLib.renew`, `begin`, `revoke` and `finalize`
  const renew = (run: Run, expiresAt: Int, now: Int): Run => ({
    ...run,
    revokedAt: zero,
    expiresAt: max(run.expiresAt, expiresAt),
    lengthenedAt: If(expiresAt.gt(run.expiresAt), now, run.lengthenedAt) as Int,
  });
  const begin = (expiresAt: Int, maturesAt: Int, now: Int): Run => ({
    ...{ startedAt: now, lengthenedAt: now, maturesAt, expiresAt, endedAt: zero, revokedAt: zero },
    isEndFinal: Bool.val(false),
  });
  const revoke = (run: Run, now: Int): Run => ({
    ...run,
    endedAt: If(isRenewable(run, now), now, run.endedAt) as Int,
    revokedAt: now,
  });
  const finalize = (run: Run, since: Int, now: Int): Run => {
    const isEnded = And(run.endedAt.neq(0), Or(run.isEndFinal, run.endedAt.lt(since)));
    return { ...run, endedAt: If(isEnded, run.endedAt, now) as Int, isEndFinal: Bool.val(true) };
  };

  /** `ResolverWithStore._attest` of a controller: the run afterwards. Assume `canAttest`. */
  const attest = (run: Run, expiresAt: Int, maturesAt: Int, now: Int): Run =>
    choose(isRenewable(run, now), renew(run, expiresAt, now), begin(expiresAt, maturesAt, now));
  const canAttest = (run: Run, expiresAt: Int, maturesAt: Int, now: Int) =>
    And(
      And(expiresAt.gt(now), expiresAt.le(now.add(maxTTL))),
      And(maturesAt.ge(now), maturesAt.le(now.add(maturation).add(maturation))),
      Or(run.revokedAt.eq(0), now.ge(run.revokedAt.add(maturation))),
      Or(isRenewable(run, now), expiresAt.gt(maturesAt)),
    );

  /** `RunLib.applyDistrust` of a run that began before `since`. */
  const underDistrust = (run: Run, since: Int, distrustedAt: Int, life = DISTRUSTED_LIFE): Run => {
    const isCut = And(run.lengthenedAt.ge(since), run.expiresAt.gt(distrustedAt.add(life)));
    return {
      ...run,
      endedAt: If(And(run.endedAt.ge(since), Not(run.isEndFinal)), zero, run.endedAt) as Int,
      expiresAt: If(isCut, distrustedAt.add(life), run.expiresAt) as Int,
    };
  };

  return {
    ...{ settings, maturation, challengePeriod, maxTTL, declare, holds, end, max },
    ...{ isLive, isMatured, isOverdue, isInCharge, isResisting, isStanding, isRenewable },
    ...{ renew, begin, revoke, finalize, attest, canAttest, underDistrust },
  };
}

export type Rules = ReturnType<typeof createRules>;
