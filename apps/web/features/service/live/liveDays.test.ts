import { describe, expect, it } from "vitest";
import { groupConsecutiveDays, lastDays, summarizeDays } from "./liveDays.ts";

const now = Date.parse("2026-11-24T23:59:00Z");
const period = (name: string, outcomes: object, changed = 0, latencyMs?: number) => ({
  ...{ period: name, outcomes, changed },
  ...(latencyMs !== undefined && { latencyMs }),
});

const history = [
  period("2026-11-20", { answers: 1 }, 0, 1_200),
  period("2026-11-21", { answers: 3, unreachable: 1 }, 0, 90),
  period("2026-11-22", { gated: 1 }, 1, 110),
  period("2026-11-23", { gated: 1 }, 0),
  period("2026-11-24", { unknown: 2 }),
];

describe("the live check history", () => {
  it("returns the last 90 UTC days, each with its worst result", () => {
    const days = lastDays(history, now);
    expect(days).toHaveLength(90);
    expect(days[0]).toMatchObject({ day: "2026-08-27", state: "none", asked: 0 });
    expect(days.slice(-6).map(({ state }) => state)).toEqual(
      ["none", "answers", "down", "answers", "answers", "unknown"].slice(-6),
    );
    expect(days.at(-3)).toMatchObject({ isChanged: true, latencyMs: 110 });
  });

  it("groups consecutive days with the same text, latest first", () => {
    expect(groupConsecutiveDays(lastDays(history, now)).slice(0, 3)).toEqual([
      { from: "2026-11-24", to: "2026-11-24", text: "couldn't be checked" },
      { from: "2026-11-23", to: "2026-11-23", text: "responded" },
      { from: "2026-11-22", to: "2026-11-22", text: "responded; differed from the registered version" },
    ]);
    expect(groupConsecutiveDays(lastDays([], now))).toEqual([
      { from: "2026-08-27", to: "2026-11-24", text: "not checked" },
    ]);
  });

  it("sums up uptime, latency and drift", () => {
    expect(summarizeDays(lastDays(history, now))).toEqual({
      uptime: "85.7% of 7 checks",
      latency: "110 ms on a typical day, 1,200 ms at most",
      drift: "differed from the registered version on 1 day",
    });
    expect(summarizeDays(lastDays([], now))).toMatchObject({
      uptime: "not checked",
      latency: "not measured",
    });
  });

  it("rounds uptime down", () => {
    const days = lastDays([period("2026-11-24", { answers: 9_999, failing: 1 })], now);
    expect(summarizeDays(days).uptime).toBe("99.9% of 10,000 checks");
  });
});
