import { beforeAll, describe, expect, it } from "vitest";
import { sampleWords } from "../src/api/search/wordSample.ts";
import { appRow, fill } from "./harness/database.ts";

describe("a sample of words", () => {
  beforeAll(async () => {
    const rows = Array.from({ length: 200 }, (_, index) =>
      appRow(BigInt(index + 1), {
        name: index % 2 ? "Weather" : "Portal",
        text: index % 4 === 0 ? "order" : index % 10 === 1 ? "orders" : "",
      }),
    );
    await fill(rows);
  });

  it.each([
    ["weather", true, 0.5],
    ["weath", true, 0.0025],
    ["weath", false, 0.5],
    ["order", true, 0.25],
    ["order", false, 0.35],
    ["absent", false, 0.0025],
    ["zzz", false, 0.0025],
  ])("knows how many records hold %s (whole: %s)", async (text, whole, share) => {
    const shareOf = await sampleWords("search_vector", 200);
    expect(shareOf({ text, join: "", whole })).toBeCloseTo(share, 6);
  });

  it("of the head leaves out what stands in the prose", async () => {
    const shareOf = await sampleWords("head_vector", 200);
    expect(shareOf({ text: "weather", join: "" })).toBeCloseTo(0.5, 6);
    expect(shareOf({ text: "order", join: "" })).toBeCloseTo(0.0025, 6);
  });
});
