import { codePoint, nearly } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../test/vectors/did.json" with { type: "json" };
import urlVectors from "../test/vectors/did-url.json" with { type: "json" };
import {
  didDocumentUrl,
  didHash,
  InvalidDidError,
  isCanonicalDid,
  isUnderDid,
  MAX_DID_LENGTH,
  normalizeDid,
  parseDid,
} from "./did.ts";

function getRefusal(input: string): InvalidDidError | undefined {
  try {
    parseDid(input);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidDidError);
    return error as InvalidDidError;
  }
}

describe("parseDid", () => {
  it.each(vectors.canonical)("returns the canonical DID %s unchanged", (did) => {
    expect(normalizeDid(did)).toBe(did);
    expect(isCanonicalDid(did)).toBe(true);
  });

  it.each(vectors.normalized)("normalizes $input", ({ input, did }) => {
    expect(normalizeDid(input)).toBe(did);
    expect(isCanonicalDid(did)).toBe(true);
  });

  it.each(vectors.refused)("rejects $input", ({ input, reason }) => {
    const error = getRefusal(input);
    expect(error?.code).toBe(reason);
    expect(error?.reason).toMatch(/^["A-Z].+[^ ]$/);
    expect(isCanonicalDid(input)).toBe(false);
  });

  it.each(vectors.nonCanonical)("parses %s, which isCanonicalDid rejects", (input) => {
    expect(isCanonicalDid(input)).toBe(false);
    expect(isCanonicalDid(normalizeDid(input))).toBe(true);
  });

  it("rejects a lone surrogate, which has no UTF-8 bytes to hash", () => {
    expect(getRefusal("did:web:example.com:\ud800")?.code).toBe("forbidden-character");
    expect(getRefusal("did:web:\udc00.com")?.code).toBe("forbidden-character");
  });

  it("returns the parts of a did:web", () => {
    expect(parseDid("did:web:Example.com%3A8443:Team:%7e")).toEqual({
      did: "did:web:example.com%3A8443:Team:%7E",
      method: "web",
      host: "example.com",
      port: 8443,
      path: ["Team", "%7E"],
    });
  });

  it("returns the parts of a did:pkh", () => {
    expect(parseDid("did:pkh:eip155:66238:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045")).toEqual({
      did: "did:pkh:eip155:66238:0xd8da6bf26964af9d7eed9e03e53415d37aa96045",
      method: "pkh",
      chainId: 66238,
      address: "0xd8da6bf26964af9d7eed9e03e53415d37aa96045",
    });
  });
});

describe("parseDid, for any text", () => {
  // Pieces of DIDs and of common mistakes, so that random text passes the first checks.
  const piece = fc.oneof(
    fc.constantFrom(
      "did:web:",
      "did:pkh:eip155:",
      "DID:Web:",
      "%3A",
      "%2f",
      "%7e",
      "%",
      ":",
      ".",
      "..",
      "0x",
    ),
    fc.constantFrom(
      "example.com",
      "localhost",
      "443",
      "65536",
      "bücher",
      "ß",
      "。",
      "?",
      "#",
      "@",
      "/",
      "\\",
      "[::1]",
    ),
    fc.string({ unit: codePoint, maxLength: 4 }),
    fc.string({ unit: "grapheme", maxLength: 4 }),
    fc.stringMatching(/^[0-9a-fA-F]{40}$/),
  );
  const pasted = fc
    .tuple(
      fc.constantFrom("", "did:web:", "did:web:a.b:", "did:pkh:eip155:1:0x"),
      fc.array(piece, { maxLength: 6 }),
    )
    .map(([start, pieces]) => start + pieces.join(""));
  const known = [
    ...vectors.canonical,
    ...vectors.nonCanonical,
    ...[...vectors.normalized, ...vectors.refused].map(({ input }) => input),
  ];
  const text = fc.oneof(pasted, nearly(fc.constantFrom(...known), ["%", ":", ".", "%3A", "é", "0", "X"]));

  // @threat services: A DID, host, name, redirect or record that leads to a private address
  it("throws only InvalidDidError, or returns the parts of a canonical DID whose document is on its host", () => {
    fc.assert(
      fc.property(text, (input) => {
        if (getRefusal(input) !== undefined) return;
        const parsed = parseDid(input);
        const { did } = parsed;
        expect(normalizeDid(did)).toBe(did);
        expect(did.length).toBeLessThanOrEqual(MAX_DID_LENGTH);
        expect(did).toMatch(/^did:(web|pkh):[A-Za-z0-9._:%-]+$/);
        expect(isCanonicalDid(did)).toBe(true);
        if (parsed.method === "pkh") {
          expect(did).toBe(`did:pkh:eip155:${parsed.chainId}:${parsed.address}`);
          return;
        }
        const { host, port, path } = parsed;
        const authority = port === undefined ? host : `${host}%3A${port}`;
        expect(did).toBe(`did:web:${[authority, ...path].join(":")}`);
        const address = didDocumentUrl(parsed);
        if (!URL.canParse(address)) {
          // Neither the contract nor the parser decodes punycode, so an invalid label leads to no host at all.
          expect(host).toContain("xn--");
          return;
        }
        const url = new URL(address);
        expect(url.href).toBe(address);
        expect(url.port).toBe(port === undefined ? "" : String(port));
        expect([url.search, url.hash, url.username, url.password]).toEqual(["", "", "", ""]);
        expect(url.hostname).toBe(host);
      }),
      { numRuns: 3 * (fc.readConfigureGlobal().numRuns ?? 100) },
    );
  });
});

describe("didHash", () => {
  it.each(vectors.hashes)("hashes $did", ({ did, didHash: expected }) => {
    expect(didHash(did)).toBe(expected);
  });

  it("rejects a DID that is not canonical", () => {
    expect(() => didHash("did:web:Example.com")).toThrow(InvalidDidError);
  });
});

describe("didDocumentUrl", () => {
  it.each(urlVectors.urls)("returns $url for $did", ({ did, url }) => {
    expect(didDocumentUrl(did)).toBe(url);
  });

  it.each(urlVectors.allowLoopback)("returns $url for $did if loopback is allowed", ({ did, url }) => {
    expect(didDocumentUrl(did, { allowLoopback: true })).toBe(url);
  });

  it.each(urlVectors.noDocument)("rejects %s", (did) => {
    expect(() => didDocumentUrl(did)).toThrow(InvalidDidError);
  });
});

describe("the reason for a URL", () => {
  it.each(["https://example.com", "https://example.com/team/mcp", "http://example.com:8443?a"])(
    "names no other subject than %s",
    (url) => {
      expect(getRefusal(url)?.reason).toBe("This is a URL, not a DID. Look up the service at this address.");
    },
  );
});

describe("isUnderDid", () => {
  const contract = `did:pkh:eip155:1:0x${"ab".repeat(20)}`;

  // @threat services: A brand's name under an unrelated or look-alike host
  it.each([
    ["did:web:partner.example", "did:web:partner.example", true],
    ["did:web:partner.example:team:a", "did:web:partner.example", true],
    ["did:web:partner.example:team:a", "did:web:partner.example:team", true],
    ["did:web:partner.example:teams", "did:web:partner.example:team", false],
    ["did:web:partner.example", "did:web:partner.example:team", false],
    ["did:web:partner.example.attacker.net", "did:web:partner.example", false],
    ["did:web:partner.examples", "did:web:partner.example", false],
    ["did:web:sub.partner.example", "did:web:partner.example", false],
    ["did:web:partner.example%3A8443", "did:web:partner.example", false],
    ["did:web:partner.example%3A8443:a", "did:web:partner.example", false],
    ["did:web:partner.example%3A8443:a", "did:web:partner.example%3A8443", true],
    ["did:web:partner.example%3A84430", "did:web:partner.example%3A8443", false],
    [contract, contract, true],
    [contract, contract.slice(0, -1), false],
  ])("%s under %s is %s", (did, under, expected) => {
    expect(isUnderDid(did, under)).toBe(expected);
  });
});
