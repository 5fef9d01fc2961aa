import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { AddressedText, ExternalLink } from "./labels.tsx";

describe("ExternalLink", () => {
  it("links a web address without a referrer", () => {
    const html = renderToStaticMarkup(<ExternalLink url="https://a.example/x" />);
    expect(html).toContain('href="https://a.example/x"');
    expect(html).toContain('rel="noopener noreferrer nofollow ugc"');
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "https://bank.example@evil.example/",
    "//evil.example",
    "not a url",
    // @threat services: Links, markup, icons, invisible characters or check marks in a publisher's texts
  ])("shows %j as text without a link", (url) => {
    const html = renderToStaticMarkup(<ExternalLink url={url} />);
    expect(html).not.toContain("href");
    expect(html).not.toContain("<script>");
    expect(html).toContain("not linked");
  });

  it("replaces a bidirectional override in a link's text with U+FFFD", () => {
    const html = renderToStaticMarkup(<ExternalLink url="https://a.example" text={"a\u202Egpj.exe"} />);
    expect(html).toContain("a\uFFFDgpj.exe");
  });
});

const account = "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199";

describe("AddressedText", () => {
  it("keeps a full stop in the element of the address, so that no line begins with it", () => {
    const html = renderToStaticMarkup(<AddressedText text={`An issuer attests account ${account}. Next.`} />);
    expect(html).toMatch(/<\/button><\/span>\.<\/span> Next\.$/);
    expect(html.replaceAll(/<[^>]*>/g, "")).toBe(`An issuer attests account ${account}. Next.`);
  });

  it("renders the times of a sentence as elements in UTC", () => {
    const html = renderToStaticMarkup(
      <AddressedText text="Until 2026-11-21T13:02:00.000Z, unless renewed." />,
    );
    expect(html).toBe(
      'Until <time dateTime="2026-11-21T13:02:00.000Z">21 Nov 2026, 13:02 UTC</time>, unless renewed.',
    );
  });
});
