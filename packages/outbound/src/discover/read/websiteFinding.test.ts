import { describe, expect, it } from "vitest";
import { readPage, websiteFinding } from "./websiteFinding.ts";

const URL = "https://example.com/app/";
const getMetadata = (html: string, favicon?: string) =>
  websiteFinding(readPage(html, URL), URL, favicon).metadata;

describe("websiteFinding", () => {
  it("returns title, description, icon, site and preview of a page", () => {
    const html = `<!doctype html><html><head><base href="/assets/"><title> A &lt;b&gt; &amp;
      more </title><title>Second</title>
      <meta name="Description" content="Plain."><meta property="og:description" content="Shared.">
      <meta property="og:site_name" content="Example Ltd"><meta property="og:image" content="https://cdn.example.com/p.png">
      <link rel="icon" sizes="32x32" href="small.png"><link rel="shortcut icon" sizes="192x192" href="large.png">
      <script>"</head><meta name='application-name' content='no'>"</script></head>`;
    expect(getMetadata(html)).toEqual({
      name: "A <b> & more",
      description: "Shared.",
      publisher: "Example Ltd",
      external_url: URL,
      image: "https://example.com/assets/large.png",
      screenshotUrls: ["https://cdn.example.com/p.png"],
      platforms: { web: { launchUrl: URL } },
    });
  });

  it("ignores content outside the head of a page", () => {
    const html = `<title>T</title><p><meta name="description" content="body"><svg><title>Icon</title></svg>`;
    expect(getMetadata(html)).toEqual({
      name: "T",
      external_url: URL,
      platforms: { web: { launchUrl: URL } },
    });
  });

  it.each([
    "javascript:alert(1)",
    "data:image/png;base64,AA",
    "http://user:secret@example.com/a.png",
    "http://[",
  ])("skips an icon and a preview at %s and uses the next icon", (href) => {
    const html = `<meta property="og:image" content="${href}"><link rel="apple-touch-icon" href="${href}">`;
    const metadata = getMetadata(html, "https://example.com/favicon.ico");
    expect(metadata.image).toBe("https://example.com/favicon.ico");
    expect(metadata).not.toHaveProperty("screenshotUrls");
  });
});
