import { type Action, type Burst, type Cast, nameOf } from "./actions.ts";
import { Choices } from "./choices.ts";
import { Random } from "./random.ts";
import { RECLAIM_VOID, RECLAIM_WAIT, Rules } from "./rules.ts";
import { DAY, GRACE, HOUR, NEVER, runOf, STANDING_TAIL, stoppedAt } from "./runs.ts";

/** The resolver's maturation before a history's first action, in seconds. */
export const INITIAL_MATURATION = 2 * DAY;

export interface History {
  cast: Cast;
  bursts: Burst[];
}

/** The share of the refused draws that stay in a history, beside the first of each kind; they change nothing. */
const REFUSALS = 0.3;
/** How many seconds before, at and after a time at which something changes. */
const AROUND = [-1, 0, 0, 0, 1];

/**
 * A random history: it depends on the seed and the cast alone. Times are drawn around those at which the model's
 * answers change, and most actions are such that the model takes them.
 * @param seed - An integer from 0 on.
 * @param everybody - Of whom a history takes a part.
 * @param start - A time in seconds, before the first burst.
 */
export function generate(seed: number, everybody: Cast, start: number, length = 300): History {
  const random = new Random(seed);
  const maturation = random.of([HOUR, 2 * DAY, 2 * DAY, 2 * DAY, 5 * DAY]);
  const dids = everybody.dids.slice(0, random.of([1, 1, 2]));
  const accounts = everybody.accounts.slice(0, dids.length > 1 ? 5 : random.of([5, 6, 6, 7]));
  const fillers = random.chance(0.06) ? everybody.fillers : [];
  const [first = "", ...further] = everybody.issuers;
  const issuers = random.chance(0.15) ? [first, ...everybody.keyed, ...further] : everybody.issuers;
  const cast = { ...everybody, accounts, dids, fillers, issuers };
  const rules = new Rules(INITIAL_MATURATION);
  const choices = new Choices(random, rules, cast);
  rules.now = start + DAY;

  const added = [...fillers, ...cast.issuers.slice(0, random.of([4, 4, 5]))];
  const opening: Action[] = [
    { kind: "setMaturation", seconds: maturation },
    ...added.map((issuer): Action => ({ kind: "addIssuer", issuer })),
  ];
  for (const action of opening) rules.perform(action);
  const bursts: Burst[] = [{ at: rules.now, actions: opening }];
  const seen = new Set<string>();
  let left = length - opening.length;
  while (left > 0) {
    if (random.chance(0.85)) rules.now = nextTime(random, rules);
    const actions: Action[] = [];
    const size = Math.min(left, random.of([1, 8, 12, 16, 20]));
    while (actions.length < size) {
      for (const action of choices.next()) {
        const refusals = rules.perform(action).map((error) => `${nameOf(action)} ${error}`);
        const isKept = refusals.some((refusal) => !seen.has(refusal)) || random.chance(REFUSALS);
        for (const refusal of refusals) seen.add(refusal);
        if (refusals.length === 0 || isKept) actions.push(action);
      }
    }
    bursts.push({ at: rules.now, actions });
    left -= actions.length;
  }
  return { cast, bursts };
}

function nextTime(random: Random, rules: Rules): number {
  const { now } = rules;
  if (random.chance(0.25)) return now + random.of([1, HOUR, 6 * HOUR, DAY, 3 * DAY, 8 * DAY]);
  const due = reclaimEdges(rules).filter((time) => time >= now);
  if (due.length > 0 && random.chance(0.12)) return Math.max(now + 1, Math.min(...due) + random.of(AROUND));
  const coming = edges(rules).filter((time) => time >= now && time < now + 70 * DAY);
  coming.sort((one, other) => one - other);
  // The next few in most cases; later ones let many things pass at once.
  const reach = random.chance(0.85) ? 6 : coming.length;
  const edge = coming[Math.min(coming.length - 1, random.between(0, reach))] ?? now + DAY;
  return Math.max(now + 1, edge + random.of(AROUND));
}

/** Every time at which something may change by itself. */
function edges(rules: Rules): number[] {
  const { issuers, pairs, challenges, maturation } = rules;
  const tail = Math.max(STANDING_TAIL, maturation);
  const ofRuns = [...pairs.values()].flatMap((events) => {
    const run = runOf(events);
    const stopped = stoppedAt(run);
    return [
      ...[run.settlesAt, run.settlesAt + GRACE, run.expiresAt, run.expiresAt + GRACE],
      ...[run.expiresAt + GRACE + tail, stopped + tail, run.revokedAt + maturation],
    ];
  });
  const ofIssuers = issuers.all.flatMap((issuer) => [
    ...(issuer.distrustedSince === NEVER ? [] : [issuer.distrustedSince + 30 * DAY]),
    issuers.seatFreeAt(issuer),
  ]);
  const ofChallenges = [...challenges.values()].flatMap(({ openedAt, period }) => [
    openedAt + period,
    openedAt + 2 * period,
  ]);
  return [...ofRuns, ...ofIssuers, ...ofChallenges, ...reclaimEdges(rules)];
}

function reclaimEdges({ records }: Rules): number[] {
  const opened = [...records.values()].flatMap(({ reclaims }) => [...reclaims.values()]);
  return opened.flatMap(({ openedAt }) => [openedAt + RECLAIM_WAIT, openedAt + RECLAIM_VOID]);
}
