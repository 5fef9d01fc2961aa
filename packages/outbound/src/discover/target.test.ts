import { describe, expect, it } from "vitest";
import { parseDiscoveryTarget } from "./discoverService.ts";

const ADDRESS = "0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb";
const CHECKSUMMED = "0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb";

describe("parseDiscoveryTarget", () => {
  it.each([
    [" https://Example.com/mcp#top ", "https://example.com/mcp"],
    ["example.com", "https://example.com/"],
    ["example.com:8443/a?b=c", "https://example.com:8443/a?b=c"],
    ["münchen.example", "https://xn--mnchen-3ya.example/"],
    ["localhost:3000/mcp", "http://localhost:3000/mcp"],
    ["localhost", "http://localhost/"],
    ["127.0.0.1:3000", "http://127.0.0.1:3000/"],
    ["did:web:example.com", "https://example.com/"],
    ["did:web:example.com%3A8443:team", "https://example.com:8443/team"],
    ["did:web:localhost%3A3000", "http://localhost:3000/"],
  ])("parses %s as a URL", (input, href) => {
    expect(parseDiscoveryTarget(input)).toMatchObject({ url: new URL(href) });
  });

  it.each([
    [ADDRESS, undefined],
    [CHECKSUMMED, undefined],
    [`eip155:10:${CHECKSUMMED}`, 10],
    [`did:pkh:eip155:1:${ADDRESS}`, 1],
  ])("parses %s as a contract", (input, chainId) => {
    expect(parseDiscoveryTarget(input)).toMatchObject({ contract: { chainId, address: ADDRESS } });
  });

  it.each([
    "",
    "weather",
    "a b.example",
    "ftp://example.com",
    "javascript:alert(1)",
    "mailto:a@example.com",
    "https://user:secret@example.com",
    "0x1234",
    CHECKSUMMED.replace("D", "d"),
    "did:key:z6Mk",
    "eip155:x",
    `https://example.com/${"a".repeat(3_000)}`,
  ])("rejects %j and lists the accepted formats", (input) => {
    expect(() => parseDiscoveryTarget(input)).toThrow(/Enter a URL/);
  });
});
