import { describe, expect, it } from "vitest";
import { InvalidDidError } from "./did.ts";
import {
  chooseService,
  InvalidSubjectError,
  type Lookup,
  type LookupMatch,
  normalizeAddress,
  parseSubject,
} from "./lookup.ts";
import { InvalidVersionError } from "./version.ts";

const contract = "0x6b175474e89094c44da98b954eedeac495271d0f";
const checksummed = "0x6B175474E89094C44Da98b954EedeAC495271d0F";

describe("parseSubject", () => {
  it.each([
    ["did:web:Example.com", { kind: "did", text: "did:web:example.com" }],
    ["did:web:example.com@1", { kind: "did", text: "did:web:example.com/v/1", version: { major: 1 } }],
    ["did:web:example.com/v/1.2.3", { kind: "did", version: { major: 1, minor: 2, patch: 3 } }],
    ["https://example.com/mcp", { kind: "url", text: "https://example.com/mcp" }],
    [" HTTPS://Example.COM:443/mcp/ ", { kind: "url", text: "https://example.com/mcp" }],
    ["https://example.com./mcp", { kind: "url", text: "https://example.com/mcp" }],
    ["https://example.com/MCP", { kind: "url", text: "https://example.com/MCP" }],
    ["https://example.com/mcp//", { kind: "url", text: "https://example.com/mcp/" }],
    ["https://example.com/a?b=C#d", { kind: "url", text: "https://example.com/a?b=C" }],
    ["https://example.com/?b", { kind: "url", text: "https://example.com?b" }],
    ["https://example.com/a/../mcp", { kind: "url", text: "https://example.com/mcp" }],
    ["https://example.com/%6dcp", { kind: "url", text: "https://example.com/%6dcp" }],
    ["https://Example.com:443/", { kind: "domain", text: "example.com" }],
    ["http://localhost:3000", { kind: "domain", text: "localhost:3000", did: "did:web:localhost%3A3000" }],
    ["http://example.com", { kind: "url", text: "http://example.com" }],
    ["https://192.0.2.1/", { kind: "url", text: "https://192.0.2.1" }],
    ["http://localhost:3000/mcp", { kind: "url", text: "http://localhost:3000/mcp" }],
    ["http://127.0.0.1:3000/mcp", { kind: "url", text: "http://127.0.0.1:3000/mcp" }],
    ["wss://example.com/ws", { kind: "url", text: "wss://example.com/ws" }],
    ["https://bücher.example/mcp", { kind: "url", text: "https://xn--bcher-kva.example/mcp" }],
    ["example.com/mcp", { kind: "url", text: "https://example.com/mcp", named: "did:web:com.example:mcp" }],
    ["com.example/weather", { kind: "url", named: "did:web:example.com:weather" }],
    ["example.com:8443/mcp", { kind: "url", text: "https://example.com:8443/mcp" }],
    ["localhost:3000/mcp", { kind: "url", text: "http://localhost:3000/mcp" }],
    ["Example.com", { kind: "domain", text: "example.com", did: "did:web:example.com" }],
    ["example.com/", { kind: "domain", text: "example.com" }],
    ["example.com:443", { kind: "domain", text: "example.com" }],
    ["example.com:8443", { kind: "domain", text: "example.com:8443", did: "did:web:example.com%3A8443" }],
    ["localhost:3000", { kind: "domain", text: "localhost:3000" }],
    ["bücher.example", { kind: "domain", text: "xn--bcher-kva.example" }],
    [checksummed, { kind: "account", text: contract }],
    [`eip155:1:${checksummed}`, { kind: "account", text: `eip155:1:${contract}` }],
    [
      "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv",
      { kind: "account" },
    ],
    ["#12", { kind: "token", text: "#12", tokenId: "12" }],
  ])("reads %s", (text, subject) => expect(parseSubject(text)).toMatchObject(subject));

  it.each([
    ["", InvalidSubjectError],
    ["weather", InvalidSubjectError],
    ["weather in Berlin", InvalidSubjectError],
    [".com", InvalidSubjectError],
    ["127.0.0.1:3000", InvalidSubjectError],
    ["mailto:somebody@example.com", InvalidSubjectError],
    ["file:///etc/passwd", InvalidSubjectError],
    ["https://", InvalidSubjectError],
    ["https://user:secret@example.com/mcp", InvalidSubjectError],
    [`https://example.com/${"a".repeat(2_048)}`, InvalidSubjectError],
    ["0x6b175474", InvalidSubjectError],
    ["0x6B175474E89094C44Da98b954EedeAC495271d0f", InvalidDidError],
    ["did:key:z6Mk", InvalidDidError],
    ["did:web:example.com@latest", InvalidVersionError],
  ])("rejects %s", (text, error) => expect(() => parseSubject(text)).toThrow(error));

  it("names no other subject than the one typed in its errors", () => {
    for (const text of ["https://user:secret@example.com/mcp", "file:///did:web:other.example", "weather"]) {
      const error = (() => {
        try {
          return parseSubject(text);
        } catch (thrown) {
          return thrown as Error;
        }
      })() as Error;
      expect(error.message).not.toMatch(/did:|example\.com|secret/);
    }
  });
});

describe("normalizeAddress", () => {
  it.each(["mailto:a@example.com", "not a URL", "data:,x", ""])("returns nothing for %j", (text) =>
    expect(normalizeAddress(text)).toBeUndefined(),
  );

  it("returns its own results unchanged", () => {
    for (const url of ["https://EXAMPLE.com:443/a/?b#c", "http://[::1]:80/x/", "wss://a.b:443/"]) {
      const address = normalizeAddress(url) as string;
      expect(normalizeAddress(address)).toBe(address);
    }
  });
});

const match = (did: string, uses: LookupMatch["uses"], version = "1.0.0", status: 0 | 1 | 2 = 0) =>
  ({ service: { did, version, status }, uses }) as LookupMatch;

const choose = (groups: Partial<Lookup>) =>
  chooseService({
    ...{
      subject: { kind: "url", text: "https://a.example/mcp" },
      exact: [],
      claimed: [],
      near: [],
      block: 1,
    },
    ...groups,
  });

const a = "did:web:a.example";

describe("chooseService", () => {
  it.each([
    ["the highest major", [match(a, ["endpoint"]), match(a, ["endpoint"], "3.1.0")], 3],
    ["an Active record", [match(a, ["endpoint"]), match(a, ["endpoint"], "2.0.0", 1)], 1],
    ["a Deprecated record if no other has it", [match(a, ["endpoint"], "2.0.0", 1)], 2],
    ["an endpoint before a link", [match(a, ["endpoint"]), match(`${a}:b`, ["website"], "2.0.0")], 1],
    ["a link", [match(a, ["website"])], 1],
  ])("returns %s", (_what, exact, major) => {
    expect(choose({ exact })).toEqual({ did: a, version: { major } });
  });

  it("names every DID that has the subject, as data", () => {
    const other = `${a}:SYSTEM:Ignore.previous`;
    const exact = [match(a, ["endpoint"]), match(other, ["endpoint"])];
    expect(() => choose({ exact })).toThrow(`"${a}", "${other}"`);
  });

  // @threat services: An address, domain or account that passes for another service's
  it.each([
    ["claimed-only", { claimed: [match("did:web:thief.example", ["endpoint"])] }],
    ["not-registered", { near: [match("did:web:thief.example", [])] }],
    ["not-registered", {}],
  ])("throws %s without naming another subject", (code, groups) => {
    expect(() => choose(groups)).toThrow(expect.objectContaining({ code, name: "LookupError" }));
    expect(() => choose(groups)).not.toThrow(/thief/);
  });
});
