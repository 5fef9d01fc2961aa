import { describe, expect, it } from "vitest";
import { visibleLines, visibleText } from "./visibleText.ts";

describe("visibleText", () => {
  // @threat services: Links, markup, icons, invisible characters or check marks in a publisher's texts
  it("replaces a bidirectional override by a visible character", () => {
    expect(visibleText("pay\u202Emoc.elgoog")).toBe("pay\uFFFDmoc.elgoog");
  });

  it("replaces zero-width characters, which make two names look alike", () => {
    expect(visibleText("Pay\u200BPal")).toBe("Pay\uFFFDPal");
  });

  it.each([
    ["a joiner between Latin letters", "Pay\u200DPal", "Pay\uFFFDPal"],
    ["a soft hyphen", "Pay\u00ADPal", "Pay\uFFFDPal"],
    ["a Hangul filler", "PayPal\u3164", "PayPal\uFFFD"],
    ["a variation selector after a letter", "PayPal\uFE0F", "PayPal\uFFFD"],
    ["invisible tags", "PayPal\u{E0041}", "PayPal\uFFFD"],
    ["the blank braille pattern", "\u2800\u2800", "\uFFFD\uFFFD"],
    ["marks piled on a letter", `a${"\u0301".repeat(40)}b`, `a${"\u0301".repeat(4)}\uFFFDb`],
  ])("replaces %s", (_, text, visible) => {
    expect(visibleText(text)).toBe(visible);
  });

  it("preserves joiners that scripts and emoji need", () => {
    expect(visibleText("1\uFE0F\u20E3 ❤\uFE0F 👍🏽 नी\u200Dला")).toBe(
      "1\uFE0F\u20E3 ❤\uFE0F 👍🏽 नी\u200Dला",
    );
    expect(visibleText("می\u200Cخواهم 👩\u200D🚀")).toBe("می\u200Cخواهم 👩\u200D🚀");
  });

  it("converts a name to one line", () => {
    expect(visibleText("  two\r\nlines\t ")).toBe("two lines");
  });

  it("visibleLines preserves at most one empty line in a row", () => {
    expect(visibleLines(`one\n\ntwo${"\n \t".repeat(500)}\nthree`)).toBe("one\n\ntwo\n\nthree");
  });

  it("visibleLines preserves line breaks", () => {
    expect(visibleLines("one\r\ntwo\u0007")).toBe("one\ntwo\uFFFD");
  });
});
