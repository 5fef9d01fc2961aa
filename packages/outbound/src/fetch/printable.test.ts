import { describe, expect, it } from "vitest";
import { printable } from "./guardedFetchError.ts";

describe("printable", () => {
  it.each([
    ["did:web:example.com#key-1", "did:web:example.com#key-1"],
    ["Bücher 😀", "Bücher 😀"],
    ["a\nb\u0000", "a\\u{a}b\\u{0}"],
    ["\u202eevil\u2066", "\\u{202e}evil\\u{2066}"],
    ["\u2028\ufeff\ud800", "\\u{2028}\\u{feff}\\u{d800}"],
    ["a\u3164\u034f\u{e0100}", "a\\u{3164}\\u{34f}\\u{e0100}"],
    ["\u200b".repeat(50), `${"\\u{200b}".repeat(13).slice(0, 100)}…`],
    [`a${"\u0300".repeat(60)}`, `a${"\u0300".repeat(4)}\ufffd`],
    ["x".repeat(101), `${"x".repeat(100)}…`],
  ])("writes %j as %j", (text, expected) => {
    expect(printable(text)).toBe(expected);
  });
});
