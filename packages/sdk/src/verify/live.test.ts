import { describe, expect, it } from "vitest";
import type { CapabilityChange } from "../metadata/compareCapabilities.ts";
import { type LiveOutcome, liveOutcomes } from "../search/marks.ts";
import { liveFact, type ServiceProbe } from "./live.ts";

const createProbe = (outcome: LiveOutcome, changes: CapabilityChange[] = []): ServiceProbe => ({
  ...{ outcome, drift: changes.length > 0 ? "changed" : "same", probedAt: 1_770_000_000_000 },
  endpoints: [
    {
      ...{ name: "MCP", url: "https://mcp.example.com", protocol: "mcp", outcome, latencyMs: 12 },
      reason: `It is ${outcome}.`,
      comparison: { outcome: changes.length > 0 ? "changed" : "same", changes },
    },
  ],
});
const createChange = (name: string): CapabilityChange => ({ kind: "tool", name, change: "added", diff: [] });

describe("liveFact", () => {
  it.each(liveOutcomes)("returns the fact of the outcome %s", (outcome) => {
    const expected = { answers: "pass", gated: "pass", unknown: "unknown" }[outcome as string] ?? "fail";
    const fact = liveFact(createProbe(outcome));
    expect(fact.outcome).toBe(expected);
    expect(fact.reason).toContain(`MCP: It is ${outcome}.`);
    expect(fact.evidence).toMatchObject({ outcome, drift: "same", probedAt: 1_770_000_000 });
  });

  it("fails if a service differs from the registered version, and names three changes", () => {
    const changes = ["one", "two", "three", "four", "five"].map(createChange);
    const { outcome, reason } = liveFact(createProbe("answers", changes));
    expect(outcome).toBe("fail");
    expect(reason).toBe(
      "It responds, but differs from the registered version: tool one added, tool two added, tool three added and 2 more.",
    );
  });

  it("shortens tool names and removes invisible characters", () => {
    const { reason } = liveFact(createProbe("gated", [createChange(`a\u202e\u200b${"x".repeat(10_000)}`)]));
    expect(reason).toBe(
      `It responds, but differs from the registered version: tool a${"x".repeat(59)} added.`,
    );
  });
});
