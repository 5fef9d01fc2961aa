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
export type LiveState = "answers" | "down" | "unknown" | "none";

export const liveStateWords: Record<LiveState, string> = {
  answers: "responded",
  down: "at least one check failed",
  unknown: "couldn't be checked",
  none: "not checked",
};

/** Live checks of one day in UTC. */
export type LiveDay = {
  day: string;
  state: LiveState;
  /** Checks that were answered, and all checks that reached the endpoint or failed to. */
  answered: number;
  asked: number;
  /** True if the service differed from the registered version. */
  isChanged: boolean;
  /** Slowest response in milliseconds. */
  latencyMs: number | undefined;
};

/** Counts the answered checks of a period, and all checks that reached the endpoint or failed to. */
export function countProbes({ outcomes }: LivePeriod): { answered: number; asked: number } {
  const { answers = 0, gated = 0, unknown: _, ...down } = outcomes;
  const answered = answers + gated;
  return { answered, asked: answered + Object.values(down).reduce((sum, count) => sum + count, 0) };
}

function toLiveDay(day: string, period: LivePeriod | undefined): LiveDay {
  if (period === undefined) {
    return { day, state: "none", answered: 0, asked: 0, isChanged: false, latencyMs: undefined };
  }
  const { answered, asked } = countProbes(period);
  const state = answered < asked ? "down" : asked > 0 ? "answers" : "unknown";
  return { day, state, answered, asked, isChanged: period.changed > 0, latencyMs: period.latencyMs };
}

const DAY = 86_400_000;
const DAYS = 90;

/** Returns the last 90 days up to `now` (Unix milliseconds) in UTC, oldest first. */
export function lastDays(history: readonly LivePeriod[], now: number): LiveDay[] {
  const periods = new Map(history.map((period) => [period.period, period]));
  return Array.from({ length: DAYS }, (_, index) => {
    const day = new Date(now - (DAYS - 1 - index) * DAY).toISOString().slice(0, 10);
    return toLiveDay(day, periods.get(day));
  });
}

/** Sums up uptime, latency and drift of some days, each in one phrase. */
export function summarizeDays(days: readonly LiveDay[]): { uptime: string; latency: string; drift: string } {
  const answered = days.reduce((sum, day) => sum + day.answered, 0);
  const asked = days.reduce((sum, day) => sum + day.asked, 0);
  const latencies = days.flatMap(({ latencyMs }) => latencyMs ?? []).sort((one, other) => one - other);
  const changed = days.filter(({ isChanged }) => isChanged).length;
  const ms = (value: number | undefined = 0) => `${value.toLocaleString("en")} ms`;
  return {
    // Round down: 100 % is only for a service that always responded.
    uptime:
      asked === 0
        ? "not checked"
        : `${Math.floor((answered / asked) * 1_000) / 10}% of ${asked.toLocaleString("en")} ${asked === 1 ? "check" : "checks"}`,
    latency:
      latencies.length === 0
        ? "not measured"
        : `${ms(latencies[Math.floor(latencies.length / 2)])} on a typical day, ${ms(latencies.at(-1))} at most`,
    drift:
      changed === 0
        ? "no difference from the registered version"
        : `differed from the registered version on ${changed} ${changed === 1 ? "day" : "days"}`,
  };
}

/** Describes a day's checks. */
const dayText = ({ state, isChanged }: LiveDay): string =>
  liveStateWords[state] + (isChanged ? "; differed from the registered version" : "");

/** Groups consecutive days with the same text, latest first. */
export function groupConsecutiveDays(days: readonly LiveDay[]): { from: string; to: string; text: string }[] {
  const rows: ReturnType<typeof groupConsecutiveDays> = [];
  for (const day of days) {
    const last = rows.at(-1);
    const text = dayText(day);
    if (last?.text === text) last.to = day.day;
    else rows.push({ from: day.day, to: day.day, text });
  }
  return rows.reverse();
}
