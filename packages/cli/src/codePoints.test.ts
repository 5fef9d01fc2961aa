import { printable } from "@app-registry/outbound/internal";
import { isVisible } from "@app-registry/sdk";
import { codePointTexts } from "@app-registry/test-kit/codePoints";
import { marked } from "marked";
import { describe, expect, it } from "vitest";
import { codeSpan, diffBlock } from "./commands/diff.ts";
import { columns, formatOutcome, type Line } from "./terminal.ts";

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
    for (const text of codePointTexts) {
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
    for (const text of codePointTexts) {
      const written = format({ [text]: text });
      expect(JSON.parse(written)).toMatchObject({ [text]: text });
      expect(isVisible(written)).toBe(true);
    }
  });

  it("is one code span of Markdown", async () => {
    for (const text of codePointTexts) {
      const html = await marked(`- ${codeSpan(text, text.length)}`);
      const [, code = ""] = /^<ul>\n<li><code>([^<]*)<\/code><\/li>\n<\/ul>\n$/.exec(html) ?? [];
      expect(decodeHtml(code)).toBe(printable(text, text.length));
    }
  });

  it("is one code block of Markdown", async () => {
    for (const text of codePointTexts) {
      const line = printable(text, text.length);
      const html = await marked(diffBlock(`${line}\n${line}`));
      const [, code = ""] = /^<pre><code class="language-diff">([^<]*)<\/code><\/pre>\n$/.exec(html) ?? [];
      expect(decodeHtml(code)).toBe(`${line}\n${line}\n`);
    }
  });
});
