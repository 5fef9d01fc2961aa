import { printable } from "@app-registry/outbound/internal";
import { isVisible } from "@app-registry/sdk";
import { marked } from "marked";
import { describe, expect, it } from "vitest";
import { codeSpan, diffBlock } from "./markdown.ts";
import { columns, formatOutcome, type Line } from "./terminal.ts";

/**
 * Texts of 4,096 code points, with lone surrogates: all of planes 0 and 1, and the start of each other plane, which
 * consists of ideographs, unassigned or private code points after it. `pnpm test:long` tries every code point.
 */
const texts = Array.from({ length: 0x110000 / 0x1000 }, (_, block) => block)
  .filter((block) => process.env.TEST_LONG || block < 0x20 || block % 0x10 === 0)
  .map((block) =>
    String.fromCodePoint(...Array.from({ length: 0x1000 }, (_, index) => block * 0x1000 + index)),
  );

const terminal = { isTTY: true, hasColors: () => false };
const toTerminal = (lines: readonly Line[]) => formatOutcome({ json: {}, lines }, false, terminal);

/** Decodes the references of HTML that marked writes. */
const decodeHtml = (html: string) =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

// @threat documents: Markup or characters that break a page or a document
describe("an outward format with every kind of code point", () => {
  it.each<[string, (text: string) => string]>([
    ["a line on a terminal", (text) => toTerminal([text])],
    ["a row of a table", (text) => toTerminal(columns([[text]]))],
  ])("is one visible line: %s", (_, format) => {
    for (const text of texts) {
      const written = format(text);
      expect(written.slice(-1)).toBe("\n");
      expect(isVisible(written) && !/[\t\n\r]/.test(written.slice(0, -1))).toBe(true);
    }
  });

  it.each<[string, (json: object) => string]>([
    ["--json", (json) => formatOutcome({ json: { ...json }, lines: [] }, true)],
    [
      "a document on a terminal",
      (json) => formatOutcome({ json: {}, lines: [], document: JSON.stringify(json) }, false, terminal),
    ],
  ])("is visible JSON with the same values: %s", (_, format) => {
    for (const text of texts) {
      const written = format({ [text]: text });
      expect(JSON.parse(written)).toMatchObject({ [text]: text });
      expect(isVisible(written)).toBe(true);
    }
  });

  it("is one code span of Markdown", async () => {
    for (const text of texts) {
      const html = await marked(`- ${codeSpan(text, text.length)}`);
      const [, code = ""] = /^<ul>\n<li><code>([^<]*)<\/code><\/li>\n<\/ul>\n$/.exec(html) ?? [];
      expect(decodeHtml(code)).toBe(printable(text, text.length));
    }
  });

  it("is one code block of Markdown", async () => {
    for (const text of texts) {
      const line = printable(text, text.length);
      const html = await marked(diffBlock(`${line}\n${line}`));
      const [, code = ""] = /^<pre><code class="language-diff">([^<]*)<\/code><\/pre>\n$/.exec(html) ?? [];
      expect(decodeHtml(code)).toBe(`${line}\n${line}\n`);
    }
  });
});
