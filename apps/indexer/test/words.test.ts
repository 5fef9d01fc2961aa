import { buildRecordLexemes, splitIdentifier, stem } from "@app-registry/index/document/buildRecordLexemes";
import { createScorer } from "@app-registry/index/search/relevance";
import {
  buildMinimumMatchQuery,
  buildTermQuery,
  generateEdits,
  getMinimumMatchSteps,
  tokenizeQuery,
  toTerms,
} from "@app-registry/index/search/terms";
import { tokenize } from "@app-registry/sdk/internal";
import { describe, expect, it } from "vitest";

describe("tokenize and word forms", () => {
  it("fold case and accents", () => {
    expect(tokenize("Café ZÜRICH, naïve!")).toEqual(["cafe", "zurich", "naive"]);
  });

  it("remove characters with a meaning in a tsquery or tsvector", () => {
    expect(tokenize("a':b & c | !d <-> (e) \\ * \0 f:1A")).toEqual(["a", "b", "c", "d", "e", "f", "1a"]);
  });

  it("return each pair of characters of a script without spaces, and the last character", () => {
    expect(tokenize("天気図API")).toEqual(["天気", "気図", "図", "api"]);
  });

  it("drop excessive combining marks", () => {
    expect(tokenize(`a${"\u0327\u0301".repeat(200_000)}b`)).toEqual(["ab"]);
  });

  it("truncate a long word", () => {
    expect(tokenize("x".repeat(5_000))).toEqual(["x".repeat(64)]);
  });

  it.each([
    ["getWeather", ["get", "weather"]],
    ["get_weather", ["getweather"]],
    ["HTTPServer2", ["http", "server2"]],
    ["Pay-Pal", ["paypal"]],
    ["echo", []],
  ])("split %s into its parts and joined words", (identifier, expected) => {
    expect(splitIdentifier(identifier)).toEqual(expected);
  });

  it.each([
    ["databases", "database"],
    ["generating", "generation"],
    ["prices", "pricing"],
  ])("reduce %s and %s to the same stem", (word, other) => {
    expect(stem(word)).toBe(stem(other));
  });

  it("do not change words of other scripts, numbers and short words", () => {
    expect(["погоды", "2ndes", "bus"].map(stem)).toEqual(["погоды", "2ndes", "bus"]);
  });
});

describe("buildRecordLexemes", () => {
  const record = {
    ...{ did: "did:web:acme.com:rain", name: "Weather maps", publisher: "Acme" },
    ...{ traits: ["api:mcp"], toolNames: ["forecast"], text: "weather now" },
  };

  it("returns a line of words for each field", () => {
    expect(buildRecordLexemes(record).words.split("\n")).toEqual([
      "weather maps",
      "weathermaps , acme , api mcp apimcp ,",
      "forecast ,",
      "weather now",
      "rain",
      "acme com",
    ]);
  });

  it("returns each word with its stem, and marks those in the name or head", () => {
    const lexemes = buildRecordLexemes(record).searchVector.split(" ");
    expect(lexemes).toEqual([...new Set(lexemes)]);
    expect(lexemes).toEqual(
      expect.arrayContaining(["'weather'", "'maps'", "'~map'", "':nmaps'", "':n~map'", "'now'"]),
    );
    expect(lexemes).toEqual(expect.arrayContaining(["':tacme'", "':tforecast'", "'rain'"]));
    expect(lexemes).not.toContain("':nnow'");
    expect(lexemes).not.toContain("':train'");
  });

  it("stays below the maximum size of a tsvector", () => {
    const text = Array.from({ length: 200_000 }, (_, index) => `w${index}`).join(" ");
    expect(buildRecordLexemes({ ...record, text }).searchVector.length).toBeLessThan(1_000_000);
  });
});

describe("search terms", () => {
  it.each([
    ["Weather  in BERLIN", ["weather", "in", "berlin"]],
    ["did:web:acme.com", ["acme", "com"]],
    ["youtube_transcript youtube", ["youtube", "transcript"]],
    ["天気図 api", ["天気", "気図", "api"]],
    ["天", ["天"]],
    ["' & |", []],
  ])("for %j are %j", (q, words) => {
    expect(tokenizeQuery(q)).toEqual(words);
  });

  it("match a prefix, the stem and the compound with a neighbor", () => {
    const [pay] = toTerms(["pays", "pal"]);
    expect(pay && buildTermQuery(pay)).toBe("'pays':* | '~pai' | 'pai' | 'payspal'");
  });

  it("are first required all together, and finally one by one", () => {
    expect(getMinimumMatchSteps(3)).toEqual([3, 2, 1]);
    expect(getMinimumMatchSteps(12)).toEqual([12, 11, 10, 2, 1]);
    expect(buildMinimumMatchQuery(toTerms(["a", "b", "c"]), { least: 2 }).match(/&/g)).toHaveLength(3);
  });

  it("have edits with one letter missing, added, different or swapped with the next", () => {
    for (const wrong of ["wether", "weaather", "weakher", "waether"]) {
      expect(generateEdits(wrong)).toContain("weather");
    }
    expect(generateEdits("api")).toEqual([]);
  });
});

describe("createScorer", () => {
  const terms = toTerms(["weather"]);
  const computeScore = (
    record: Partial<Parameters<typeof buildRecordLexemes>[0]>,
    unproven = 0,
    words = ["weather"],
  ) => {
    const all = { did: "did:web:a.b", name: null, publisher: null, traits: [], toolNames: [], text: "" };
    const score = createScorer(
      words.length > 1 ? toTerms(words) : terms,
      words.map(() => 1),
    );
    return score({ words: buildRecordLexemes({ ...all, ...record }).words, isNamed: false, unproven });
  };

  it("ranks a word by its field: name, labels, tools, text, path, host", () => {
    const scores = [
      { name: "City weather" },
      { traits: ["weather"] },
      { toolNames: ["weather"] },
      { text: "weather" },
      { did: "did:web:a.b:weather" },
      { did: "did:web:weather.b" },
    ].map((record) => computeScore(record));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBe(scores.length);
  });

  it("ranks a whole word before its stem, and that before the beginning of another word", () => {
    const [whole = 0, stemmed = 0, prefix = 0] = ["weather", "weathers", "weathervane"].map((text) =>
      computeScore({ text }),
    );
    expect(whole).toBeGreaterThan(stemmed);
    expect(stemmed).toBeGreaterThan(prefix);
    expect(prefix).toBeGreaterThan(0);
  });

  it("ranks adjacent words before separate ones, and all words before some", () => {
    const words = ["stock", "market"];
    const scores = ["a stock market", "a market of any stock", "a stock"].map((text) =>
      computeScore({ text }, 0, words),
    );
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBe(3);
  });

  it("ranks a record with missing evidence after a similar one", () => {
    expect(computeScore({ name: "Weather" }, 3)).toBeLessThan(computeScore({ name: "Weather" }));
  });
});
