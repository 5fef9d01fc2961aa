import { describe, expect, it } from "vitest";
import { headVector, rankQuery, searchQuery, searchVector, searchWords } from "../src/search/searchVector.ts";
import { identifierTokens, tokens } from "../src/search/tokens.ts";

const words = (text: string) => tokens(text).map((token) => token.text);

describe("tokens", () => {
  it("folds case and accents", () => {
    expect(words("Café ZÜRICH, naïve!")).toEqual(["cafe", "zurich", "naive"]);
  });

  it("keeps nothing that means something to a tsquery or a tsvector", () => {
    expect(words("a':b & c | !d <-> (e) \\ * \0 f:1A")).toEqual(["a", "b", "c", "d", "e", "f", "1a"]);
  });

  it("takes each character of a script without spaces as a word that joins the one before", () => {
    expect(tokens("天気 API")).toEqual([
      { text: "天", joined: false },
      { text: "気", joined: true },
      { text: "api", joined: false },
    ]);
  });

  it("takes no more marks on a letter than any writing has", () => {
    expect(words(`a${"\u0327\u0301".repeat(200_000)}b`)).toEqual(["a", "b"]);
  });

  it("cuts an endless word", () => {
    expect(words("x".repeat(5_000))).toEqual(["x".repeat(64)]);
  });

  it.each([
    ["getWeather", ["getweather", "get", "weather"]],
    ["get_weather", ["getweather", "get", "weather"]],
    ["HTTPServer2", ["httpserver2", "http", "server2"]],
    ["api:rest", ["apirest", "api", "rest"]],
    ["echo", ["echo"]],
  ])("splits the identifier %s into its words beside the whole", (identifier, expected) => {
    expect(identifierTokens(identifier).map((token) => token.text)).toEqual(expected);
  });
});

describe("searchVector", () => {
  it("weighs name, publisher, traits, DID, tools and text, and leaves a gap between fields", () => {
    expect(
      searchVector({
        did: "did:web:acme.com",
        name: "Weather",
        publisher: "Acme",
        traits: ["api:mcp"],
        toolNames: ["forecast"],
        text: "weather now",
      }),
    ).toBe("'weather':1A,14D 'acme':3B,9B 'apimcp':5B 'api':6B 'mcp':7B 'com':10B 'forecast':12C 'now':15D");
  });

  it("stops at the last position that PostgreSQL holds", () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `w${index}`).join(" ");
    const vector = searchVector({ did: "", name: null, publisher: null, traits: [], toolNames: [], text });
    expect(vector).toContain("16383D");
    expect(vector).not.toContain("16384D");
  });
});

describe("headVector", () => {
  it("is the search vector without the prose", () => {
    const record = { did: "did:web:a.b", name: "N", publisher: "P", traits: ["t:u"], toolNames: ["x"] };
    expect(searchVector({ ...record, text: "prose" })).toBe(`${headVector(record)} 'prose':14D`);
  });
});

describe("searchQuery", () => {
  const queryOf = (q: string) => searchQuery(searchWords(q));

  it("asks for every word by its beginning", () => {
    expect(queryOf("Wea Ber")).toBe("'wea':* & 'ber':*");
  });

  it("asks for characters without spaces side by side", () => {
    expect(queryOf("天気 api")).toBe("'天':* <-> '気':* & 'api':*");
  });

  it("takes no more than 32 words", () => {
    expect(searchWords("a ".repeat(40))).toHaveLength(32);
  });

  it.each(["", "  ", "!!!", "' & |"])("has no words of %j", (q) => {
    expect(searchWords(q)).toEqual([]);
  });
});

describe("rankQuery", () => {
  it("asks for any word, whole or by its beginning", () => {
    expect(rankQuery(searchWords("Wea Ber"))).toBe("'wea':* | 'wea' | 'ber':* | 'ber'");
  });
});
