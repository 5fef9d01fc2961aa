import { type Action, type Burst, type Cast, getName, type Settings } from "./actions.ts";
import { Choices } from "./choices.ts";
import { Random } from "./random.ts";
import { RECLAIM_FROM, RECLAIM_UNTIL, Rules } from "./rules.ts";
import { DAY, DISTRUST_TAIL, findRun, GRACE, HOUR, NEVER } from "./runs.ts";

/** Settings of the resolvers in histories. The second ones are the usual ones. */
export const ALL_SETTINGS: Settings[] = [
  { maturation: HOUR, challengePeriod: 7 * DAY, maxTTL: 365 * DAY },
  { maturation: 2 * DAY, challengePeriod: 7 * DAY, maxTTL: 365 * DAY },
  { maturation: 2 * DAY, challengePeriod: 7 * DAY, maxTTL: 30 * DAY },
  { maturation: 7 * DAY, challengePeriod: 9 * DAY, maxTTL: 60 * DAY },
  { maturation: 5 * DAY, challengePeriod: 40 * DAY, maxTTL: 730 * DAY },
];

export interface History {
  settings: Settings;
  cast: Cast;
  bursts: Burst[];
}

/** Share of the refused actions that stay in a history, in addition to the first of each kind. */
const REFUSALS = 0.3;
/** Offsets in seconds from a time at which an answer changes. */
const AROUND = [-1, 0, 0, 0, 1];

/**
 * Generates a random history, which depends only on its arguments. Draws times near those at which the model's answers
 * change, and mostly actions that the model accepts.
 * @param seed - An integer from 0 on.
 * @param everybody - Cast from which a history selects a part.
 * @param start - A time in seconds, before the first burst.
 */
export function generate(seed: number, everybody: Cast, start: number, length = 300): History {
  const random = new Random(seed);
  const settings = random.of(ALL_SETTINGS);
  const dids = everybody.dids.slice(0, random.of([1, 1, 2]));
  const accounts = everybody.accounts.slice(0, dids.length > 1 ? 5 : random.of([5, 6, 6, 7]));
  const fillers = random.chance(0.06) ? everybody.fillers : [];
  const [first = "", ...further] = everybody.issuers;
  const issuers = random.chance(0.15) ? [first, ...everybody.keyed, ...further] : everybody.issuers;
  const cast = { ...everybody, accounts, dids, fillers, issuers };
  const rules = new Rules(settings);
  const choices = new Choices(random, rules, cast);
  rules.now = start + DAY;

  const added = [...fillers, ...cast.issuers.slice(0, random.of([2, 3, 4, 4]))];
  const opening = added.map((issuer): Action => ({ kind: "addIssuer", issuer }));
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
        const refusals = rules.perform(action).map((error) => `${getName(action)} ${error}`);
        const isKept = refusals.some((refusal) => !seen.has(refusal)) || random.chance(REFUSALS);
        for (const refusal of refusals) seen.add(refusal);
        if (refusals.length === 0 || isKept) actions.push(action);
      }
    }
    bursts.push({ at: rules.now, actions });
    left -= actions.length;
  }
  return { settings, cast, bursts };
}

function nextTime(random: Random, rules: Rules): number {
  const { now } = rules;
  if (random.chance(0.25)) return now + random.of([1, HOUR, 6 * HOUR, DAY, 3 * DAY, 8 * DAY]);
  const due = reclaimEdges(rules).filter((time) => time >= now);
  if (due.length > 0 && random.chance(0.12)) return Math.max(now + 1, Math.min(...due) + random.of(AROUND));
  const coming = edges(rules).filter((time) => time >= now && time < now + 70 * DAY);
  coming.sort((one, other) => one - other);
  // Choose one of the next few times in most cases. A later one lets many answers change at once.
  const reach = random.chance(0.85) ? 6 : coming.length;
  const edge = coming[Math.min(coming.length - 1, random.between(0, reach))] ?? now + DAY;
  return Math.max(now + 1, edge + random.of(AROUND));
}

/** Returns every time at which an answer may change without an action. */
export function edges(rules: Rules): number[] {
  const { issuers, pairs, blocks, claims, challenges, settings } = rules;
  const { maturation, challengePeriod } = settings;
  const ofPairs = [...pairs.values()].flatMap((events) => {
    const run = findRun(events, GRACE);
    const revocations = events.flatMap((event) => (event.is === "revoke" ? [event.at] : []));
    const ofRevocations = revocations.flatMap((at) => [at + GRACE, at + maturation]);
    if (!run) return ofRevocations;
    const { maturesAt, expiresAt } = run;
    return [...ofRevocations, maturesAt, maturesAt + challengePeriod, expiresAt, expiresAt + GRACE];
  });
  const ofIssuers = issuers.all.flatMap((issuer) => {
    const cappedAt = issuer.firstDistrustedAt + DISTRUST_TAIL;
    return [cappedAt, cappedAt + GRACE, issuers.seatFreeAt(issuer)].filter((time) => time !== NEVER);
  });
  const ofBlocks = [...blocks.values()].flatMap((acts) =>
    acts.flatMap((act) => (act === "unblock" ? [] : [act.until])),
  );
  const ofClaims = [...claims.values()].flatMap((at) => [at + maturation, at + 2 * maturation]);
  const ofChallenges = [...challenges.values()].flatMap((openedAt) => [
    openedAt + challengePeriod,
    openedAt + 2 * challengePeriod,
  ]);
  const ofMints = [...rules.mints.keys()].map((did) => rules.mintableFrom(did));
  return [
    ...[...ofPairs, ...ofIssuers, ...ofBlocks, ...ofClaims, ...ofChallenges, ...ofMints],
    ...reclaimEdges(rules),
  ];
}

function reclaimEdges({ records }: Rules): number[] {
  const opened = [...records.values()].flatMap(({ reclaims }) => [...reclaims.values()]);
  return opened.flatMap(({ openedAt }) => [openedAt + RECLAIM_FROM, openedAt + RECLAIM_UNTIL]);
}
