import { describe, expect, it } from "vitest";
import { groupConsecutiveDays, lastDays } from "./liveDays.ts";

const now = Date.parse("2026-11-24T23:59:00Z");
const period = (name: string, outcomes: object, changed = 0) => ({ period: name, outcomes, changed });

const history = [
  period("2026-11-20", { answers: 1 }),
  period("2026-11-21", { answers: 3, unreachable: 1 }),
  period("2026-11-22", { gated: 1 }, 1),
  period("2026-11-23", { gated: 1 }, 0),
  period("2026-11-24", { unknown: 2 }),
];

describe("the live check history", () => {
  it("returns the last 90 UTC days, each with its worst result", () => {
    const days = lastDays(history, now);
    expect(days).toHaveLength(90);
    expect(days[0]).toEqual({ day: "2026-08-27", state: "none" });
    expect(days.slice(-6).map(({ state }) => state)).toEqual(
      ["none", "answers", "down", "changed", "answers", "unknown"].slice(-6),
    );
  });

  it("groups consecutive days with the same state, latest first", () => {
    expect(groupConsecutiveDays(lastDays(history, now)).slice(0, 3)).toEqual([
      { from: "2026-11-24", to: "2026-11-24", state: "unknown" },
      { from: "2026-11-23", to: "2026-11-23", state: "answers" },
      { from: "2026-11-22", to: "2026-11-22", state: "changed" },
    ]);
    expect(groupConsecutiveDays(lastDays([], now))).toEqual([
      { from: "2026-08-27", to: "2026-11-24", state: "none" },
    ]);
  });
});
