import { isLive, isMatured, isOverdue, isRenewable, isStanding, type Run, resistsChallenge } from "./runs.ts";

/** What somebody in charge did about an account: blocked it until a time, or ended the block. */
export type BlockAct = { at: number; until: number; weight: number } | "unblock";

export interface Block {
  blockedAt: number;
  until: number;
  weight: number;
}

/** Returns the block that lasts at `now`, if any. */
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

/** Every answer about one account and DID, at any time from now on at which nobody has acted again. */
export class Account {
  private readonly runs: readonly Run[];
  private readonly block: Block | undefined;
  private readonly challengePeriod: number;

  /** @param runs - One of each issuer at most. */
  constructor(runs: readonly Run[], block: Block | undefined, challengePeriod: number) {
    this.runs = runs;
    this.block = block;
    this.challengePeriod = challengePeriod;
  }

  private count = (test: (run: Run) => boolean) => this.runs.filter(test).length;

  /** Returns true if so many issuers have stood behind the account for so long that no block applies. */
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
  /** What its blocks weigh: the issuers that put it in charge. */
  weight = (now: number) =>
    this.count((run) => (isMatured(run, now) || isOverdue(run, now)) && !this.isBlocked(run, now));
  isInCharge = (now: number) => this.weight(now) > 0;
  isAttested = (now: number) => this.runs.some((run) => isLive(run, now));
  score = (now: number) => this.count((run) => isMatured(run, now));
  /** Its score in a challenge that it opened at `openedAt`. */
  scoreSince = (openedAt: number, now: number) =>
    this.count((run) => isMatured(run, now) && run.maturesAt <= openedAt);
  resistance = (now: number) => this.count((run) => resistsChallenge(run, now));
  resistsReclaim = (now: number) =>
    this.runs.some((run) => isStanding(run, now) && !this.isBlocked(run, now));

  /** Returns the first second from `now` on at which it controls the DID; 0 if there is none. */
  controlsFrom(now: number): number {
    const changes = this.runs.flatMap(({ maturesAt }) => [maturesAt, maturesAt + this.challengePeriod]);
    const coming = [now, ...changes, this.block?.until ?? now].filter((time) => time >= now);
    return coming.sort((one, other) => one - other).find(this.controls) ?? 0;
  }

  blockedUntil = (now: number) =>
    this.block && now < this.block.until && !this.isInCharge(now) ? this.block.until : 0;
}
