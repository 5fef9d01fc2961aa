import type { LiveOutcome, LivePeriod } from "@app-registry/sdk";

/** Short labels of the outcomes of an endpoint's check. */
export const liveOutcomeWords: Record<LiveOutcome, string> = {
  answers: "Responds",
  gated: "Responds, but requires credentials or payment",
  failing: "Running, but failing",
  "other-protocol": "Unexpected response",
  unreachable: "Unreachable",
  unknown: "Not checked",
};

/** State of a day: the worst outcome of its checks. */
export type LiveState = "answers" | "changed" | "down" | "unknown" | "none";

export const liveStateWords: Record<LiveState, string> = {
  answers: "responded, with no difference from the registered version",
  changed: "responded, but differed from the registered version",
  down: "at least one check failed",
  unknown: "couldn't be checked",
  none: "not checked",
};

/** Counts the answered checks of a period, and all checks that reached the endpoint or failed to. */
export function countProbes({ outcomes }: LivePeriod): { answered: number; asked: number } {
  const { answers = 0, gated = 0, unknown: _, ...down } = outcomes;
  const answered = answers + gated;
  return { answered, asked: answered + Object.values(down).reduce((sum, count) => sum + count, 0) };
}

function getLiveState(period: LivePeriod | undefined): LiveState {
  if (period === undefined) return "none";
  const { answered, asked } = countProbes(period);
  if (answered < asked) return "down";
  if (period.changed > 0) return "changed";
  return asked > 0 ? "answers" : "unknown";
}

const DAY = 86_400_000;
const DAYS = 90;

/** Returns the last 90 days up to `now` (Unix milliseconds) in UTC, oldest first. */
export function lastDays(history: readonly LivePeriod[], now: number): { day: string; state: LiveState }[] {
  const periods = new Map(history.map((period) => [period.period, period]));
  return Array.from({ length: DAYS }, (_, index) => {
    const day = new Date(now - (DAYS - 1 - index) * DAY).toISOString().slice(0, 10);
    return { day, state: getLiveState(periods.get(day)) };
  });
}

/** Groups consecutive days of the same state, latest first. */
export function groupConsecutiveDays(
  days: readonly { day: string; state: LiveState }[],
): { from: string; to: string; state: LiveState }[] {
  const rows: ReturnType<typeof groupConsecutiveDays> = [];
  for (const { day, state } of days) {
    const last = rows.at(-1);
    if (last?.state === state) last.to = day;
    else rows.push({ from: day, to: day, state });
  }
  return rows.reverse();
}
