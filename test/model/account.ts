import { isLive, isMatured, isOverdue, isRenewable, isStanding, type Run, resistsChallenge } from "./runs.ts";

/** Act of an account in charge against another account: a block until a time, or the end of the block. */
export type BlockAct = { at: number; until: number; weight: number } | "unblock";

export interface Block {
  blockedAt: number;
  until: number;
  weight: number;
}

/** Returns the block that is in force at `now`, or `undefined` if no block is. */
export function findBlock(acts: readonly BlockAct[], now: number): Block | undefined {
  const since = acts.slice(acts.lastIndexOf("unblock") + 1);
  let block: Block | undefined;
  for (const act of since) {
    if (act === "unblock") continue;
    const { at, until, weight } = act;
    const last = block && at < block.until ? block : { blockedAt: at, until, weight };
    block = {
      blockedAt: last.blockedAt,
      until: Math.max(last.until, until),
      weight: Math.max(last.weight, weight),
    };
  }
  return block && now < block.until ? block : undefined;
}

/** Answers about one account and DID, at any later time if nobody acts until then. */
export class Account {
  private readonly runs: readonly Run[];
  private readonly block: Block | undefined;
  private readonly challengePeriod: number;

  /** @param runs - At most one of each issuer. */
  constructor(runs: readonly Run[], block: Block | undefined, challengePeriod: number) {
    this.runs = runs;
    this.block = block;
    this.challengePeriod = challengePeriod;
  }

  private count = (test: (run: Run) => boolean) => this.runs.filter(test).length;

  /** Returns true if more issuers than the block's weight have runs that matured a challenge period ago. */
  isOverruled({ weight }: Block, now: number): boolean {
    const isOld = (run: Run) => {
      const oldAt = run.maturesAt + this.challengePeriod;
      return isRenewable(run, now) && oldAt <= now && run.expiresAt > oldAt;
    };
    return this.count(isOld) > weight;
  }

  isBlocked(run: Run, now: number): boolean {
    const { block } = this;
    if (!block || now >= block.until || run.maturesAt <= block.blockedAt) return false;
    return !this.isOverruled(block, now);
  }

  controls = (now: number) => this.runs.some((run) => isMatured(run, now) && !this.isBlocked(run, now));
  /** Returns the weight of a block by the account: the number of issuers that put it in charge. */
  weight = (now: number) =>
    this.count((run) => (isMatured(run, now) || isOverdue(run, now)) && !this.isBlocked(run, now));
  isInCharge = (now: number) => this.weight(now) > 0;
  isAttested = (now: number) => this.runs.some((run) => isLive(run, now));
  score = (now: number) => this.count((run) => isMatured(run, now));
  /** Returns its score in a challenge that it opened at `openedAt`. */
  scoreSince = (openedAt: number, now: number) =>
    this.count((run) => isMatured(run, now) && run.maturesAt <= openedAt);
  resistance = (now: number) => this.count((run) => resistsChallenge(run, now));
  resistsReclaim = (now: number) =>
    this.runs.some((run) => isStanding(run, now) && !this.isBlocked(run, now));

  /** Returns the first second from `now` on at which it controls the DID; 0 if it never will. */
  controlsFrom(now: number): number {
    const changes = this.runs.flatMap(({ maturesAt }) => [maturesAt, maturesAt + this.challengePeriod]);
    const coming = [now, ...changes, this.block?.until ?? now].filter((time) => time >= now);
    return coming.sort((one, other) => one - other).find(this.controls) ?? 0;
  }

  blockedUntil = (now: number) =>
    this.block && now < this.block.until && !this.isInCharge(now) ? this.block.until : 0;
}
