import { describe, expect, it } from "vitest";
import { extractSuggestions } from "./lookup.ts";

const results = [
  { name: "Météo Globe", publisher: "Weather Ltd", traits: ["weather", "api:mcp"] },
  { name: "METEO globe", publisher: "weather ltd", traits: ["weather"] },
  { name: "Tide\u200bTables", publisher: "Harbour", traits: ["sea"] },
  { name: "✅ Verified", traits: [] },
  { traits: ["weather:marine"] },
];

describe("extractSuggestions", () => {
  it("returns distinct names in ranking order without case and accent variants, check marks and invisible characters", () => {
    expect(extractSuggestions("w", results).names).toEqual([
      "Météo Globe",
      "Tide�Tables",
      "[check mark] Verified",
    ]);
  });

  it("returns only publishers and traits that contain the words", () => {
    expect(extractSuggestions("WEÀ", results)).toMatchObject({
      publishers: ["Weather Ltd"],
      traits: ["weather", "weather:marine"],
    });
    expect(extractSuggestions("weather l", results)).toMatchObject({
      publishers: ["Weather Ltd"],
      traits: [],
    });
    expect(extractSuggestions("eather", results)).toMatchObject({ publishers: [], traits: [] });
  });
});
