import { describe, expect, it } from "vitest";
import { extractSuggestions } from "./suggest.ts";

const results = [
  { name: "Météo Globe", publisher: "Weather Ltd", traits: ["weather", "api:mcp"] },
  { name: "METEO globe", publisher: "weather ltd", traits: ["weather"] },
  { name: "Tide\u200bTables", publisher: "Harbour", traits: ["sea"] },
  { name: "✅ Verified", traits: [] },
  { traits: ["weather:marine"] },
];

describe("the suggestions of a search", () => {
  it("are the names as they rank, each once whatever its case and accents, without marks and invisible characters", () => {
    expect(extractSuggestions("w", results).names).toEqual([
      "Météo Globe",
      "Tide�Tables",
      "[check mark] Verified",
    ]);
  });

  it("are only those publishers and traits that have the words typed", () => {
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
