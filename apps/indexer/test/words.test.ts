import { tokenize } from "@app-registry/sdk/internal";
import { describe, expect, it } from "vitest";
import { buildRecordLexemes } from "../src/search/buildRecordLexemes.ts";
import { score } from "../src/search/score.ts";
import {
  buildMinimumMatchQuery,
  buildTermQuery,
  generateEdits,
  getMinimumMatchSteps,
  tokenizeQuery,
  toTerms,
} from "../src/search/terms.ts";
import { splitIdentifier, stem } from "../src/search/wordForms.ts";

describe("tokens", () => {
  it("folds case and accents", () => {
    expect(tokenize("Café ZÜRICH, naïve!")).toEqual(["cafe", "zurich", "naive"]);
  });

  it("keeps nothing that means something to a tsquery or a tsvector", () => {
    expect(tokenize("a':b & c | !d <-> (e) \\ * \0 f:1A")).toEqual(["a", "b", "c", "d", "e", "f", "1a"]);
  });

  it("takes each pair of characters of a script without spaces as a word, and the last one", () => {
    expect(tokenize("天気図API")).toEqual(["天気", "気図", "図", "api"]);
  });

  it("takes no more marks on a letter than any writing has", () => {
    expect(tokenize(`a${"\u0327\u0301".repeat(200_000)}b`)).toEqual(["ab"]);
  });

  it("cuts an endless word", () => {
    expect(tokenize("x".repeat(5_000))).toEqual(["x".repeat(64)]);
  });

  it.each([
    ["getWeather", ["get", "weather"]],
    ["get_weather", ["getweather"]],
    ["HTTPServer2", ["http", "server2"]],
    ["Pay-Pal", ["paypal"]],
    ["echo", []],
  ])("has the parts and joined words of %s beside its words", (identifier, expected) => {
    expect(splitIdentifier(identifier)).toEqual(expected);
  });

  it.each([
    ["databases", "database"],
    ["generating", "generation"],
    ["prices", "pricing"],
  ])("gives %s and %s one stem", (word, other) => {
    expect(stem(word)).toBe(stem(other));
  });

  it("leaves words of other scripts, numbers and short words alone", () => {
    expect(["погоды", "2ndes", "bus"].map(stem)).toEqual(["погоды", "2ndes", "bus"]);
  });
});

describe("recordWords", () => {
  const record = {
    ...{ did: "did:web:acme.com:rain", name: "Weather maps", publisher: "Acme" },
    ...{ traits: ["api:mcp"], toolNames: ["forecast"], text: "weather now" },
  };

  it("has a line of words for each field", () => {
    expect(buildRecordLexemes(record).words.split("\n")).toEqual([
      "weather maps",
      "weathermaps , acme , api mcp apimcp ,",
      "forecast ,",
      "weather now",
      "rain",
      "acme com",
    ]);
  });

  it("has each word with its stem, and says which are in the name or head", () => {
    const lexemes = buildRecordLexemes(record).searchVector.split(" ");
    expect(lexemes).toEqual([...new Set(lexemes)]);
    expect(lexemes).toEqual(
      expect.arrayContaining(["'weather'", "'maps'", "'~map'", "':nmaps'", "':n~map'", "'now'"]),
    );
    expect(lexemes).toEqual(expect.arrayContaining(["':tacme'", "':tforecast'", "'rain'"]));
    expect(lexemes).not.toContain("':nnow'");
    expect(lexemes).not.toContain("':train'");
  });

  it("stays below the size of a tsvector", () => {
    const text = Array.from({ length: 200_000 }, (_, index) => `w${index}`).join(" ");
    expect(buildRecordLexemes({ ...record, text }).searchVector.length).toBeLessThan(1_000_000);
  });
});

describe("the words of a search", () => {
  it.each([
    ["Weather  in BERLIN", ["weather", "in", "berlin"]],
    ["did:web:acme.com", ["acme", "com"]],
    ["youtube_transcript youtube", ["youtube", "transcript"]],
    ["天気図 api", ["天気", "気図", "api"]],
    ["天", ["天"]],
    ["' & |", []],
  ])("of %j are %j", (q, words) => {
    expect(tokenizeQuery(q)).toEqual(words);
  });

  it("are found by their beginning, their stem and joined with their neighbour", () => {
    const [pay] = toTerms(["pays", "pal"]);
    expect(pay && buildTermQuery(pay)).toBe("'pays':* | '~pai' | 'pai' | 'payspal'");
  });

  it("are asked for all together first, and one by one last", () => {
    expect(getMinimumMatchSteps(3)).toEqual([3, 2, 1]);
    expect(getMinimumMatchSteps(12)).toEqual([12, 11, 10, 2, 1]);
    expect(buildMinimumMatchQuery(toTerms(["a", "b", "c"]), 2).match(/&/g)).toHaveLength(3);
  });

  it("are near each other when one letter is missing, added, another, or exchanged with the next", () => {
    for (const wrong of ["wether", "weaather", "weakher", "waether"]) {
      expect(generateEdits(wrong)).toContain("weather");
    }
    expect(generateEdits("api")).toEqual([]);
  });
});

describe("score", () => {
  const terms = toTerms(["weather"]);
  const computeScore = (
    record: Partial<Parameters<typeof buildRecordLexemes>[0]>,
    unproven = 0,
    words = ["weather"],
  ) => {
    const all = { did: "did:web:a.b", name: null, publisher: null, traits: [], toolNames: [], text: "" };
    return score(
      { words: buildRecordLexemes({ ...all, ...record }).words, isNamed: false, unproven },
      words.length > 1 ? toTerms(words) : terms,
      words.map(() => 1),
    );
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

  it("ranks words side by side before the same words apart, and all of them before some", () => {
    const words = ["stock", "market"];
    const scores = ["a stock market", "a market of any stock", "a stock"].map((text) =>
      computeScore({ text }, 0, words),
    );
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBe(3);
  });

  it("ranks what lacks evidence behind its like", () => {
    expect(computeScore({ name: "Weather" }, 3)).toBeLessThan(computeScore({ name: "Weather" }));
  });
});
