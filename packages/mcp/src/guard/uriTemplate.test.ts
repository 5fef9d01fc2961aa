import { describe, expect, it } from "vitest";
import { matchesTemplate, mayNameResource } from "./uriTemplate.ts";

describe("matchesTemplate", () => {
  it.each([
    ["docs://manual", "docs://manual"],
    ["docs://pages/{number}", "docs://pages/7"],
    ["docs://pages/{number}", "docs://pages/a%20b"],
    ["docs://pages/{number}", "docs://pages/users:1"],
    ["docs://{a}{b}{c}", "docs://abc"],
    ["docs://{a}x{b}", "docs://xxx"],
    ["docs://{a,b}", "docs://1,2"],
    ["file:///{+path}", "file:///a/b/c?d#e"],
    ["{+all}x{end}", "a/x/x1"],
    ["repo://{owner}/{name}/contents{/path*}", "repo://a/b/contents/c/d"],
    ["repo://{owner}/{name}/contents{/path*}", "repo://a/b/contents"],
    ["docs://search{?q,page}", "docs://search"],
    ["docs://search{?q,page}", "docs://search?q=a%26b&page=2"],
    ["docs://search{?q,page}", "docs://search?page=2"],
    ["docs://search{?q}", "docs://search?q="],
    ["docs://search?fixed=1{&q}", "docs://search?fixed=1&q=2"],
    ["docs://search{?any*}", "docs://search?a=1&b=2"],
    ["docs://file{.ext}", "docs://file.tar.gz"],
    ["docs://file{;v:3}", "docs://file;v=123"],
    ["docs://page{#part}", "docs://page#a/b"],
    ["docs://{name", "docs://{name"],
  ])("%s matches %s", (template, uri) => {
    expect(matchesTemplate([template], uri)).toBe(true);
  });

  it.each([
    ["docs://manual", "docs://manuals"],
    ["docs://pages/{number}", "docs://pages/"],
    ["docs://pages/{number}", "docs://pages/7/secret"],
    ["docs://pages/{number}", "docs://pages/7?all"],
    ["docs://pages/{number}", "evil://pages/7"],
    ["docs://{a}{b}{c}", "docs://ab"],
    ["docs://search{?q}", "docs://search?admin=1"],
    ["docs://search{?q}", "docs://search?q=1&admin=1"],
    ["docs://search{?q}", "docs://search&q=1"],
    ["docs://file{.ext}", "docs://file/etc"],
    ["docs://.*", "docs://x"],
  ])("%s does not match %s", (template, uri) => {
    expect(matchesTemplate([template], uri)).toBe(false);
  });

  it.each([
    [`docs://${"{a}".repeat(60)}`, `docs://${"x".repeat(8_000)}/`],
    [`docs://${"{+a}".repeat(60)}!`, `docs://${"x".repeat(8_000)}`],
    [`${"x".repeat(4_000)}{a}${"x".repeat(4_000)}`, "x".repeat(8_000)],
  ])("ends in limited time for a template of many equal parts", (template, uri) => {
    expect(matchesTemplate([template], uri)).toBe(false);
  });

  it("does not match templates and URIs beyond the maximum length", () => {
    expect(matchesTemplate(["docs://{a}"], `docs://${"x".repeat(9_000)}`)).toBe(false);
    expect(matchesTemplate([`docs://${"{a}".repeat(100)}`], `docs://${"x".repeat(200)}`)).toBe(false);
    for (const sign of ["", "?", ";"])
      expect(matchesTemplate([`docs://{${sign}${"a,".repeat(200)}a}`], "docs://x")).toBe(false);
  });

  it("compares only a limited number of parts of all templates", () => {
    const others = (count: number) => Array.from({ length: count }, () => "docs://{a,b,c}/x");
    expect(matchesTemplate([...others(100), "docs://{d}"], "docs://y")).toBe(true);
    expect(matchesTemplate([...others(1_000), "docs://{d}"], "docs://y")).toBe(false);
    expect(matchesTemplate([...others(1_000), "other://{d}"], "other://y")).toBe(true);
  });
});

describe("mayNameResource", () => {
  const blocked = "docs://pages/secret";

  // @threat documents: A server whose tools no longer match its record, or another spelling of a blocked one
  it.each([
    "docs://pages/secret",
    "docs://pages/secret?",
    "docs://pages/secret?a=b",
    "docs://pages/secret#x",
    "docs://pages/secret%3Fa",
    "docs://pages/secret%23x",
    "docs://pages//secret",
    "docs://pages/secret//",
    "docs://pages/%2Fsecret",
    "docs://pages/s%65cret",
    "docs://pages/s%2565cret",
    "docs://pages/s%252565cret",
    "docs://pages/x/../secret",
    "docs://pages/./secret",
    "docs://pages/x/%2e%2e/secret",
    "docs://pages/x/%252e%252e/secret",
    "docs://pages\\secret",
    "DOCS://PAGES/SECRET",
    "docs://pages/\uff53ecret",
  ])("returns true for %s", (uri) => {
    expect(mayNameResource(blocked, uri)).toBe(true);
  });

  it.each([
    ["docs://pages/secret", "docs://pages/secrets"],
    ["docs://pages/secret", "docs://pages/other?secret"],
    ["docs://pages?id=secret", "docs://pages?id=other"],
    ["docs://pages?id=secret", "docs://pages"],
  ])("returns false for %s and %s", (uri, other) => {
    expect(mayNameResource(uri, other)).toBe(false);
  });

  it("takes limited time for many slashes and encodings", () => {
    expect(mayNameResource(blocked, `a:${"/".repeat(2_000_000)}x`)).toBe(false);
    expect(mayNameResource(blocked, `a:${"%25".repeat(500_000)}x`)).toBe(false);
  });
});
