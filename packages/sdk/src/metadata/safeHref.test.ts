import { codePoint, nearly } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeHref } from "./safeHref.ts";

describe("safeHref", () => {
  it.each([
    ["https://example.com", "https://example.com/"],
    ["HTTP://Example.com/a?b#c", "http://example.com/a?b#c"],
    ["ipfs://bafybeigdyrzt/icon.png", "ipfs://bafybeigdyrzt/icon.png"],
    ["ar://abc", "ar://abc"],
    ["mailto:help@example.com", "mailto:help@example.com"],
  ])("returns the parsed form of %s", (url, href) => {
    expect(safeHref(url)).toBe(href);
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "\u0001javascript:alert(1)",
    "java\nscript:alert(1)",
    "java\tscript:alert(1)",
    "javascript&colon;alert(1)",
    "vbscript:x",
    "data:text/html,<script>alert(1)</script>",
    "blob:https://example.com/x",
    "file:///etc/passwd",
    "//example.com",
    "/path",
    "example.com",
    "https://",
    "https://user@example.com",
    "https://bank.example:pw@evil.example",
    "https://example.com/a b",
    "ht\ntps://example.com",
    `https://example.com/${"a".repeat(2048)}`,
    "",
  ])("returns undefined for %j", (url) => {
    expect(safeHref(url)).toBeUndefined();
  });

  // @threat services: Links, markup, icons, invisible characters or check marks in a publisher's texts
  it("returns only URLs with an allowed scheme, for any text", () => {
    const pasted = fc
      .tuple(
        fc.string({ unit: codePoint, maxLength: 3 }),
        fc.constantFrom("javascript:", "data:", "https:", "//", ""),
        fc.string({ unit: codePoint, maxLength: 8 }),
      )
      .map((parts) => parts.join(""));
    const known = fc.constantFrom(
      "https://example.com/a?b#c",
      "ipfs://bafy/x",
      "mailto:a@b.c",
      "ar:x",
      `https://a.b/${"é".repeat(400)}`,
    );
    const text = fc.oneof(
      pasted,
      nearly(known, [":", "/", "//", "\\", "@", "%", "\t", "é", "javascript:", ".", "#"]),
    );
    fc.assert(
      fc.property(text, (url) => {
        const href = safeHref(url);
        if (href !== undefined) expect(href).toMatch(/^(https?|ipfs|ipns|ar|mailto):/);
        if (href !== undefined) expect(safeHref(href)).toBe(href);
      }),
    );
  });
});
