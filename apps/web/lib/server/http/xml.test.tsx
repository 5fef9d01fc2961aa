import { codePointTexts } from "@app-registry/test-kit/codePoints";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { badgeHtml } from "../../../components/record/Badge.tsx";
import { Claim } from "../../../components/record/claims.tsx";
import { renderAtom, renderSvg, renderXml } from "./xml.ts";

const entry = (text: string) => ({
  ...{ id: text, link: text, title: text, summary: text, author: text, categories: [text] },
  ...{ published: new Date(0), updated: new Date(0) },
});

// @threat documents: Markup or characters that break a page or a document
describe("an outward format with every kind of code point", () => {
  it.each([
    ["Atom", (text: string) => renderAtom({ title: text, self: text, link: text }, [entry(text)])],
    ["sitemap", (text: string) => renderXml({ urlset: { url: [{ loc: text }] } })],
    ["SVG", (text: string) => renderSvg({ "@aria-label": text, title: text })],
  ])("is well-formed XML 1.0: %s", (_, render) => {
    for (const text of codePointTexts) {
      const xml = render(text);
      expect(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(xml)).toBe(false);
      expect(/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(xml)).toBe(false);
      expect(xml.replace(/<[!?]?[^<>]*>/g, "")).not.toMatch(/[<>]/);
    }
  });

  it("keeps every permitted character in XML", () => {
    for (const text of codePointTexts) {
      const permitted = text.replace(/[^\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "");
      const [, kept = ""] = /<a>(.*)<\/a>/su.exec(renderXml({ a: permitted })) ?? [];
      const references = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };
      expect(kept.replace(/&\w+;/g, (name) => references[name as keyof typeof references])).toBe(permitted);
    }
  });

  it("is one element of HTML without controls", () => {
    for (const text of codePointTexts) {
      const html = renderToStaticMarkup(<Claim kind="name" text={text} />);
      expect(html.replace(/<\/?(?:bdi|span)[^<>]*>/g, "")).not.toMatch(/[<>]/);
    }
    expect(
      badgeHtml({ did: "did:web:a.example:x%22%3E", publicUrl: "https://r.example" }).match(/</g),
    ).toHaveLength(3);
  });
});
