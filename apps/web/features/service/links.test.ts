import type { ClassifiedAddress, VerificationReport } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { createLinkResolver, originWarning } from "./links.tsx";

type Outcome = VerificationReport["facts"]["control"]["outcome"];

function listPlaces(did: string, addresses: ClassifiedAddress[] = [], control: Outcome = "pass") {
  const fact = { outcome: "pass", reason: "", evidence: {} } as const;
  const facts = {
    record: fact,
    control: { ...fact, outcome: control },
    content: fact,
    attested: fact,
    origin: { ...fact, evidence: { addresses } },
  };
  return createLinkResolver({ did, facts });
}

describe("createLinkResolver", () => {
  it.each([
    ["did:web:evil.example", "https://stripe.com", "leads to stripe.com"],
    ["did:web:stripe.com", "https://stripe.com.evil.example", "leads to stripe.com.evil.example"],
    ["did:web:paypal.com", "https://p\u0430ypal.com", "leads to xn--pypal-4ve.com"],
    ["did:web:github.com:alice", "https://github.com/bob", "leads to github.com"],
    ["did:web:evil.example", "mailto:help@stripe.com", "writes to stripe.com"],
    ["did:web:example.com", "ipfs://example.com/1.png", "leads to an address of ipfs"],
    // @threat services: A link, variable or OAuth metadata that leads users to another host
  ])("says that %s does not prove %s", (did, url, where) => {
    const words = `${where}, not proven to belong to this service`;
    expect(listPlaces(did)(url)).toEqual({ isInside: false, words });
  });

  it.each([
    ["did:web:example.com", "https://example.com/v1", "leads to example.com, the proven host"],
    [
      "did:web:example.com",
      "https://api.example.com",
      "leads to api.example.com, on the same site as example.com",
    ],
    ["did:web:example.com:team", "https://example.com/team/x", "on example.com/team"],
    ["did:web:example.com", "mailto:a@example.com", "writes to example.com, the proven host"],
  ])("marks a link as inside: %s links to %s", (did, url, words) => {
    expect(listPlaces(did)(url)).toEqual({ isInside: true, words });
  });

  it("uses a linked host from the evidence", () => {
    const url = "https://b.example/mcp";
    const linked: ClassifiedAddress = {
      use: "endpoint",
      pointer: "/endpoints/0/endpoint",
      url,
      leads: "linked",
    };
    expect(listPlaces("did:web:a.example", [linked])(url)).toEqual({
      isInside: true,
      words: "leads to b.example, controlled by the same account",
    });
  });

  it("treats a URL as linked wherever it appears in the document", () => {
    const url = "https://b.example/";
    const website: ClassifiedAddress = { use: "website", pointer: "/external_url", url, leads: "elsewhere" };
    const launch: ClassifiedAddress = {
      use: "launch",
      pointer: "/platforms/web/launchUrl",
      url,
      leads: "linked",
    };
    expect(listPlaces("did:web:a.example", [launch, website])(url)?.isInside).toBe(true);
  });

  it("judges a mail address by its host", () => {
    const url = "mailto:help@a.example";
    const support: ClassifiedAddress = { use: "support", pointer: "/supportUrl", url, leads: "elsewhere" };
    expect(listPlaces("did:web:a.example", [support])(url)?.isInside).toBe(true);
  });

  // @threat services: A link, variable or OAuth metadata that leads users to another host
  it("treats no destination as proven while control does not pass", () => {
    expect(listPlaces("did:web:example.com", [], "unknown")("https://example.com")).toEqual({
      isInside: false,
      words: "leads to example.com; control couldn't be checked",
    });
  });

  it("returns undefined for a text that is not a URL", () => {
    expect(listPlaces("did:web:example.com")("not an address")).toBeUndefined();
  });
});

describe("originWarning", () => {
  const did = "did:web:mcp.example.com";
  const endpoint = {
    name: "MCP",
    endpoint: "https://mcp.example.com/",
    authentication: { oauth2: { tokenUrl: "https://stripe.com.evil.test/token" } },
  };

  const reportWith = (leads?: string, of = did) => {
    const addresses = leads && [{ url: "https://stripe.com.evil.test/token", leads }];
    return { did: of, facts: { origin: { evidence: { addresses } } } } as never;
  };

  it("warns with outcome unknown about a sign-in on another host before origin is checked", () => {
    expect(originWarning(endpoint, reportWith())).toEqual({
      outcome: "unknown",
      text: "This connects to stripe.com.evil.test, not mcp.example.com. Whether the same account controls both is unknown.",
    });
  });

  it("follows the fact origin once it was checked", () => {
    expect(originWarning(endpoint, reportWith("linked"))).toBeUndefined();
    expect(originWarning(endpoint, reportWith("elsewhere"))).toEqual({
      outcome: "fail",
      text: "This connects to stripe.com.evil.test, which is not proven to belong to mcp.example.com.",
    });
  });

  it("treats an endpoint named Contract as an API endpoint under a DID without a contract", () => {
    const login = { name: "Contract", endpoint: "https://stripe.com.evil.test/" };
    expect(originWarning(login, reportWith())?.text).toContain("connects to stripe.com.evil.test");
    const pkh = "did:pkh:eip155:1:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
    expect(originWarning(login, reportWith(undefined, pkh))).toBeUndefined();
  });

  it("returns nothing for the proven host and its site", () => {
    expect(originWarning({ endpoint: "https://api.example.com/" }, reportWith())).toBeUndefined();
  });
});
