import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { didHash, parseDid } from "./did.ts";
import { parseHashedServerName, parseServerName, toServerName } from "./toServerName.ts";

/** Pattern of names in server.json. */
const pattern = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

describe("toServerName", () => {
  it.each([
    ["did:web:mcp.example.com", "com.example.mcp/_"],
    ["did:web:example.com:tools:weather", "com.example/tools.weather"],
    ["did:web:localhost%3A3000", "localhost/_p3000"],
    ["did:web:localhost%3A3000:a_b:c.d%20e", "localhost/_p3000.a_5Fb.c_2Ed_2520e"],
    ["did:web:example.com:_p3000", "com.example/_5Fp3000"],
    ["did:web:example.com:Team", "com.example/_54eam"],
    ["did:web:example.com:team", "com.example/team"],
    [
      "did:pkh:eip155:66238:0x00000000000000000000000000000000000000aa",
      "PKH.eip155.66238/0x00000000000000000000000000000000000000aa",
    ],
  ])("converts %s to %s, which parseServerName converts back", (did, name) => {
    expect(toServerName(did)).toBe(name);
    expect(name).toMatch(pattern);
    expect(parseServerName(name)).toBe(did);
  });

  it("returns a name of exactly one DID, for any path", () => {
    const segment = fc.stringMatching(/^[A-Za-z0-9._~-]{1,12}$/).filter((text) => !/^\.{1,2}$/.test(text));
    const port = fc.option(fc.integer({ min: 1, max: 65_535 }).filter((number) => number !== 443));
    fc.assert(
      fc.property(fc.domain(), port, fc.array(segment, { maxLength: 4 }), (host, number, path) => {
        const authority = `${host.toLowerCase()}${number === null ? "" : `%3A${number}`}`;
        const did = ["did:web", authority, ...path].join(":");
        fc.pre(isDid(did));
        const name = toServerName(did);
        fc.pre(!name.startsWith("HASH."));
        expect(name).toMatch(pattern);
        expect(parseServerName(name)).toBe(did);
      }),
    );
  });

  it("returns the didHash instead of a name of more than 200 characters", () => {
    expect(toServerName(`did:web:example.com:${"a".repeat(188)}`)).toHaveLength(200);
    for (const did of [`did:web:example.com:${"a".repeat(189)}`, `did:web:example.com:${"_".repeat(230)}`]) {
      const name = toServerName(did);
      expect(name).toMatch(pattern);
      expect(parseHashedServerName(name)).toBe(didHash(did));
      expect(parseServerName(name)).toBeUndefined();
    }
    for (const name of ["com.example/weather", "HASH.keccak256/0xAB", "com.HASH.keccak256/0x00"]) {
      expect(parseHashedServerName(name)).toBeUndefined();
    }
  });
});

describe("parseServerName", () => {
  it.each([
    "",
    "com.example",
    "com.example/",
    "/weather",
    "com.example/a/b",
    "com.Example/weather",
    "com.example/a_5f",
    "com.example/_2F",
    "com.example/a..b",
    "PKH.eip155.1/0xAB",
    "PKH.eip155/0x00000000000000000000000000000000000000aa",
    "1.0.0.127/_",
  ])("returns undefined for %j", (name) => {
    expect(parseServerName(name)).toBeUndefined();
  });
});

function isDid(text: string): boolean {
  try {
    return parseDid(text).did === text;
  } catch {
    return false;
  }
}
