import { domainToUnicode } from "node:url";
import { describe, expect, it } from "vitest";
import { detectScripts, internationalLabels } from "./claims.ts";

describe("detectScripts", () => {
  it.each([
    ["pаypal with one Cyrillic letter", "p\u0430ypal", ["Cyrillic", "Latin"]],
    ["google with one Greek letter", "go\u03bfgle", ["Greek", "Latin"]],
    ["Cyrillic and Han", "\u0430\u4e2d", ["Cyrillic", "Han"]],
    ["Latin with a katakana mark and Hangul", "a\u30ab\ud55c", ["Hangul", "Katakana", "Latin"]],
    ["letters of Cherokee", "\u13aa\u13b3", ["another script"]],
    // @threat services: A brand's name under an unrelated or look-alike host
  ])("flags %s", (_, label, scripts) => {
    expect(detectScripts(label)).toEqual({ label, scripts, warning: "mixed" });
  });

  it.each([
    ["apple in Cyrillic letters alone", "\u0430\u0440\u0440\u04cf\u0435", "Cyrillic", "apple"],
    ["paypal with a digit, all Cyrillic", "\u0440\u0430\u0443\u0440\u0430\u04cf1", "Cyrillic", "paypal1"],
    ["kakao in Greek letters alone", "\u03ba\u03b1\u03ba\u03b1\u03bf", "Greek", "kakao"],
  ])("flags %s", (_, label, script, looksLike) => {
    expect(detectScripts(label)).toEqual({ label, scripts: [script], warning: "lookalike", looksLike });
  });

  it.each([
    [
      "Japanese with kana, kanji and Latin letters",
      "東京カフェとtea",
      ["Han", "Hiragana", "Katakana", "Latin"],
    ],
    ["a katakana word with its long mark", "サーバー", ["Katakana"]],
    ["Korean with Latin letters", "한국tv", ["Hangul", "Latin"]],
    ["a Greek word", "ελλάδα", ["Greek"]],
    ["a Russian word", "яндекс", ["Cyrillic"]],
    ["a German word", "münchen", ["Latin"]],
    ["an Arabic word with digits", "مصر-2", ["Arabic"]],
    // @threat services: A brand's name under an unrelated or look-alike host
  ])("accepts %s", (_, label, scripts) => {
    expect(detectScripts(label)).toEqual({ label, scripts });
  });
});

describe("internationalLabels", () => {
  it("returns the labels of a host that are in punycode", () => {
    expect(internationalLabels(domainToUnicode("www.xn--pypal-4ve.example"))).toEqual([
      { label: "p\u0430ypal", scripts: ["Cyrillic", "Latin"], warning: "mixed" },
    ]);
  });

  it("returns an empty list for an ASCII host", () => {
    expect(internationalLabels(domainToUnicode("stripe.com.evil.example"))).toEqual([]);
  });
});
