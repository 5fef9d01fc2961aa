import { describe, expect, it } from "vitest";
import { getSite } from "../test/getSite.ts";
import { getProvenSubject } from "./didMethods.ts";
import { formatProvenLine, getRelation } from "./origin.ts";

const contract = "did:pkh:eip155:1:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";

describe("getProvenSubject", () => {
  it.each([
    ["did:web:example.com", "host", "example.com"],
    ["did:web:example.com%3A8443", "host", "example.com:8443"],
    ["did:web:example.com:team:tools", "path", "example.com/team/tools"],
    ["did:web:bücher.example", "host", "xn--bcher-kva.example"],
    [contract, "contract", "eip155:1:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
  ])("returns for %s the %s %s", (did, kind, name) => {
    expect(getProvenSubject(did)).toEqual({ kind, name });
  });
});

describe("formatProvenLine", () => {
  const line = (did: string, control: "pass" | "fail" | "unknown") => {
    const { before, name, after } = formatProvenLine(did, control);
    return `${before} ${name}${after}`;
  };

  it("does not claim control of the host for a DID with a path", () => {
    expect(line("did:web:example.com", "pass")).toBe("Controlled by example.com");
    expect(line("did:web:github.io:stripe", "pass")).toBe("Controlled by an account at github.io/stripe");
    expect(line(contract, "pass")).toMatch(/^Controlled by the owner of contract eip155:1:0x5aAe/);
  });

  it("names the place of registration if control is not currently proven", () => {
    expect(line("did:web:example.com:team", "fail")).toBe(
      "Registered under example.com/team; control not currently proven",
    );
  });

  it("does not deny control that couldn't be read", () => {
    expect(line("did:web:example.com", "unknown")).toBe(
      "Registered under example.com; control couldn't be checked",
    );
  });
});

describe("getRelation", () => {
  describe.each([
    [
      "did:web:example.com",
      {
        "https://example.com/": "same-host",
        "https://EXAMPLE.com./v1": "same-host",
        "http://example.com:8080/": "same-host",
        "wss://example.com/socket": "same-host",
        "grpc://Example.com:50051": "same-host",
        "https://stripe.com@example.com/": "same-host",
        "https://api.example.com/": "same-site",
        "https://example.com@evil.example/": "elsewhere",
        "https://example.com.evil.example/": "elsewhere",
        "https://evilexample.com/": "elsewhere",
        "https://evil.example/example.com": "elsewhere",
        "https://evil.example#example.com": "elsewhere",
        "https://evil.example\\@example.com/": "elsewhere",
        "https://exam\u0440le.com/": "elsewhere",
        "https://127.0.0.1/": "elsewhere",
        "not a url": "elsewhere",
        "mailto:help@example.com": "elsewhere",
        "ipfs://example.com/": "elsewhere",
        "constructor://example.com/": "elsewhere",
        "data:text/html,example.com": "elsewhere",
      },
    ],
    [
      "did:web:alice.github.io",
      {
        "https://alice.github.io/": "same-host",
        "https://www.alice.github.io/": "same-site",
        "https://bob.github.io/": "elsewhere",
        "https://github.io/": "elsewhere",
        "https://github.com/": "elsewhere",
      },
    ],
    ["did:web:github.io", { "https://github.io/": "same-host", "https://alice.github.io/": "elsewhere" }],
    [
      "did:web:example.co.uk",
      { "https://other.co.uk/": "elsewhere", "https://a.example.co.uk/": "same-site" },
    ],
    [
      "did:web:example.com:team",
      {
        "https://example.com/team": "same-path",
        "https://example.com/team/v1?x=/": "same-path",
        "https://example.com/%74eam/v1": "same-path",
        "https://example.com:443/team/": "same-path",
        "https://example.com/": "elsewhere",
        "https://example.com/teams": "elsewhere",
        "https://example.com/Team/": "elsewhere",
        "https://example.com/other/team/": "elsewhere",
        "https://example.com/team/../admin": "elsewhere",
        "https://example.com/team/%2e%2e/admin": "elsewhere",
        "https://example.com/team/..%2fadmin": "elsewhere",
        "https://example.com/team/..;/admin": "elsewhere",
        "https://example.com/team/..\\admin": "elsewhere",
        "https://example.com:8443/team/": "elsewhere",
        "http://example.com/team/": "elsewhere",
        "https://api.example.com/team/": "elsewhere",
        "https://evil.example/team/": "elsewhere",
      },
    ],
    [
      "did:web:localhost%3A3000",
      {
        "http://localhost:3000/mcp": "same-host",
        "http://localhost:4000/mcp": "elsewhere",
        "http://localhost/": "elsewhere",
      },
    ],
    ["did:web:192-0-2-1.example%3A80", { "http://192-0-2-1.example/": "same-host" }],
    [contract, { "https://example.com/": "elsewhere" }],
  ])("%s", (did, relations) => {
    it.each(Object.entries(relations))("%s", (url, relation) => {
      expect(getRelation(did, url, getSite)).toBe(relation);
    });
  });

  it("returns unknown for another host without a public suffix list", () => {
    expect(getRelation("did:web:example.com", "https://api.example.com/")).toBe("unknown");
    expect(getRelation("did:web:example.com", "https://example.com/")).toBe("same-host");
  });

  it("treats all spellings of a path segment as equal, but not different invalid escapes", () => {
    expect(getRelation("did:web:example.com:a%2Bb", "https://example.com/a+b/")).toBe("same-path");
    expect(getRelation("did:web:example.com:%C3%A9", "https://example.com/é")).toBe("same-path");
    expect(getRelation("did:web:example.com:%FF", "https://example.com/%FE")).toBe("elsewhere");
  });
});
